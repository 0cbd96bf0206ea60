import type { Reply } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'

export type AdminUser = Reply<'adminUsers'>[number]

/** No event reaches this page when another user's socket connects or breaks: it reads again after this time, ms. */
const REFETCH_INTERVAL_MS = 5_000

export const useAdminUsers = () => useQuery({ ...read('adminUsers', {}), refetchInterval: REFETCH_INTERVAL_MS })
