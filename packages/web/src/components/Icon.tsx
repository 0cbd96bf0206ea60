/** Line icons, 24 × 24, in the colour of the text beside them. Decoration only: the text stands beside it or in aria-label. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M12 5.5v.01M12 12v.01M12 18.5v.01',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  plug: 'M9 3v5M15 3v5M6.5 8h11v3a5.5 5.5 0 0 1-11 0zM12 16.5V21',
  unplug: 'M9 3v3M15 3v3M6.5 8h11v3a5.5 5.5 0 0 1-.8 2.9M14 16.1a5.5 5.5 0 0 1-7.5-5.1M12 16.5V21M3 3l18 18',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM8.5 12h7',
  play: 'M7 4.5v15l12-7.5z',
  next: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  warn: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.01',
  cloud: 'M7 18h10a4 4 0 0 0 .6-7.95A6 6 0 0 0 6.2 9.4 4.4 4.4 0 0 0 7 18zM3 3l18 18',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={name === 'more' ? 2.8 : 1.9}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
