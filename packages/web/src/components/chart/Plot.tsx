import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import css from './Plot.module.css'

/** Colours of the page for things drawn on canvas. */
export interface Theme {
  dark: boolean
  text: string
  line: string
  up: string
  down: string
  primary: string
  surface: string
  font: string
}
export type PlotOptions = Omit<uPlot.Options, 'width' | 'height'>

interface Props {
  /** Returns the options; a new function builds a new chart, new data only redraw it. */
  options: (theme: Theme) => PlotOptions
  data: uPlot.AlignedData
  height: number
  /** Says what the chart shows; its numbers stand in a table beside it. */
  label: string
}

export function Plot({ options, data, height, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const latest = useRef(data)
  const dark = useDark()
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const size = () => ({ width: element.clientWidth, height })
    const chart = new uPlot({ ...options(themeOf(element, dark)), ...size() }, latest.current, element)
    plot.current = chart
    const observer = new ResizeObserver(() => chart.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
      plot.current = null
    }
  }, [options, height, dark])
  useEffect(() => {
    latest.current = data
    plot.current?.setData(data)
  }, [data])
  return (
    <figure>
      <figcaption className="unseen">{label}</figcaption>
      <div ref={box} className={css['plot']} style={{ height }} aria-hidden="true" />
    </figure>
  )
}

function themeOf(element: Element, dark: boolean): Theme {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return {
    dark,
    text: colour('--muted'),
    line: colour('--line'),
    up: colour('--up'),
    down: colour('--down'),
    primary: colour('--link'),
    surface: colour('--surface'),
    font: `11px ${colour('--font')}`,
  }
}

function useDark(): boolean {
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)')
    const update = () => setDark(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return dark
}
