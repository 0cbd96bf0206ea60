import { Component, type ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Failed } from '../components/QueryView.tsx'

/** A page that threw: says so instead of leaving a white screen. Also the place where a missing script part ends up. */
export class Crash extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Failed error={asProblem(error)} busy={false} onRetry={() => location.reload()} />
  }
}
