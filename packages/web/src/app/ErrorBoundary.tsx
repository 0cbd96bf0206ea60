import { Component, type ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Failed } from '../components/QueryView.tsx'

/** Says that a page failed instead of leaving a white screen. A chunk that cannot be loaded ends up here, too. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
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
