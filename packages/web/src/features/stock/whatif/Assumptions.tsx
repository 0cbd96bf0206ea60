import css from './WhatIf.module.css'

/** What everybody should have in mind who reads the figures. */
export const Assumptions = ({ texts }: { texts: readonly string[] }) => (
  <details className={css['assumed']}>
    <summary>무엇을 가정하고 계산했나요?</summary>
    <ul>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </details>
)
