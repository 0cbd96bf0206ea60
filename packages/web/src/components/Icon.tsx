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
  wallet: 'M4 8a2 2 0 0 1 2-2h11v3M4 8v9a2 2 0 0 0 2 2h13a1 1 0 0 0 1-1v-8a1 1 0 0 0-1-1H5a1 1 0 0 1-1-1M16 14v.01',
  stairs: 'M4 18h4v-5h5V8h7M4 6v12',
  receipt: 'M7 4h10v16l-2.5-2-2.5 2-2.5-2L7 20zM10 9h4M10 13h4',
  bars: 'M5 19V11M12 19V5M19 19v-6',
  grid: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z',
  line: 'M4 17l5-6 4 3 7-8',
  bank: 'M4 9l8-5 8 5zM6 9v8M10 9v8M14 9v8M18 9v8M4 19h16',
  shield: 'M12 4l7 3v5c0 4-3 6.5-7 8-4-1.5-7-4-7-8V7z',
  list: 'M7 4h10v16H7zM10 8h4M10 12h4M10 16h2',
  people:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3.5 19a5.5 5.5 0 0 1 11 0M16 5.2a3 3 0 0 1 0 5.6M17 14a5.5 5.5 0 0 1 3.5 5',
  task: 'M5 6l1.5 1.5L9 5M5 12l1.5 1.5L9 11M5 18l1.5 1.5L9 17M12.5 6.5H20M12.5 12.5H20M12.5 18.5H20',
  server: 'M5 5h14v6H5zM5 13h14v6H5zM8.5 8v.01M8.5 16v.01',
  calendar: 'M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2',
  pause: 'M9 6v12M15 6v12',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5',
  today: 'M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7M9.5 15l2 2 3.5-4',
  bell: 'M6.5 17v-6a5.5 5.5 0 0 1 11 0v6zM4.5 17h15M10.5 20h3',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  key: 'M14.5 4a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M10.5 13.5L4 20M6.5 17.5L9 20',
  leave: 'M14 5H5v14h9M11 12h9M17 9l3 3-3 3',
  eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  refresh: 'M19 12a7 7 0 1 1-2.1-5M19 4v4h-4',
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
