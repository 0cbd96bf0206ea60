import { z } from 'zod'
import { createLogger } from './product.ts'
import type { Story } from './story.ts'

const Line = z.object({
  msg: z.string().default(''),
  userId: z.string().nullish(),
  err: z.object({ message: z.string().default('') }).optional(),
})

/** The server's own log, its warnings told in the story. */
export const logOf = (story: Story, server: string) =>
  createLogger('warn', {
    write: (text) => {
      const { msg, userId, err } = Line.parse(JSON.parse(text))
      story.add(`  server ${server} warns${userId ? ` of ${userId.slice(0, 4)}` : ''}: ${msg} ${err?.message ?? ''}`)
    },
  })
