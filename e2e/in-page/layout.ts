/** Runs inside the page (see ../layout.ts): finds text that is cut, lies on other text, or leaves the screen, and empty halves. */

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}
/** One line of text as it is drawn. `layer`: what moves over the rest of the page, or the page itself. */
interface Line {
  text: string
  of: Element
  box: Box
  layer: Element
}

/** Rounding of the browser, px. */
const SLACK = 1
/** Below this a common part of two boxes is the air around letters, px. */
const TOUCH = 1.5

/** All that is wrong, in sentences; [] when nothing is. */
export function layoutFaults(): string[] {
  const cut: string[] = []
  const lines = [...linesOf(document.body, cut), ...fieldLines(cut)]
  return [...new Set([...wide(), ...cut, ...ellipses(), ...overlaps(lines), ...labelsOnPlots()])]
}

const isShown = (element: Element): boolean =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false })
/** What is asked of the style of an element, read once: nothing moves meanwhile. */
interface Style {
  position: string
  overflowX: string
  overflowY: string
  fontSize: number
  shown: boolean
}
const styles = new Map<Element, Style>()
function styleOf(element: Element): Style {
  const known = styles.get(element)
  if (known !== undefined) return known
  const { position, overflowX, overflowY, fontSize } = getComputedStyle(element)
  const style = { position, overflowX, overflowY, fontSize: Number.parseFloat(fontSize), shown: isShown(element) }
  styles.set(element, style)
  return style
}
const shown = (element: Element): boolean => styleOf(element).shown
const nameOf = (element: Element): string => {
  const place = element.closest('[aria-label], [aria-labelledby], main, nav, header, dialog')
  const label = place?.getAttribute('aria-label') ?? place?.tagName.toLowerCase() ?? 'body'
  return `${label} › ${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
}
const described = ({ text, of, box }: Line): string =>
  `“${text}” (${nameOf(of)}, ${[box.left, box.top, box.right, box.bottom].map(Math.round).join(' ')})`

/** Only for screen readers, or out of the tab order until it has the focus. */
const unseen = (element: Element): boolean => element.closest('.unseen') !== null

/** The layout is as wide as the screen; `innerWidth` would grow on phones with what is too wide. */
function wide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const out = [...document.querySelectorAll('body *')].filter(
    (one) => shown(one) && one.getBoundingClientRect().right > clientWidth + SLACK,
  )
  return [`the page is ${scrollWidth} px wide on a screen of ${clientWidth}: ${out.slice(-3).map(nameOf).join(', ')}`]
}

/** Lines of all text that is seen, each cut to what scrolls it; what is cut by anything else is told. */
function linesOf(root: Element, cut: string[]): Line[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const lines: Line[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const of = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (text === '' || of === null || !shown(of) || unseen(of) || of.closest('script, style, option') !== null) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = range.getClientRects()
    if (rects.length > 1) cut.push(...brokenWords(node, of))
    for (const rect of rects) {
      if (rect.width < 1) continue
      const line = { text, of, box: inked(rect, of), layer: layerOf(of) }
      const seen = seenPart(line, cut)
      if (seen !== null) lines.push({ ...line, box: seen })
    }
  }
  return lines
}

/** What is read as two where it goes on in the next line: a day, a number, a word that has room in any line. */
const WHOLE =
  /(?<![\dA-Za-z-])(?:(?:\d\d)?\d\d(?:-\d\d){1,2}(?![\d-])|[+−-]?\d[\d,.]*(?:원|%|주)?)|(?<![가-힣])[가-힣]{2,6}(?![가-힣])/g

function brokenWords(node: Node, of: Element): string[] {
  const text = node.textContent ?? ''
  return [...text.matchAll(WHOLE)]
    .filter(({ 0: word, index }) => {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const tops = [...range.getClientRects()].filter(({ width }) => width >= 1).map(({ top }) => Math.round(top))
      return new Set(tops).size > 1
    })
    .map(([word]) => `“${word}” is broken in two (${nameOf(of)})`)
}

/** A line without the air above and below its letters: as high as its font is. */
function inked({ left, right, top, bottom }: Box, of: Element): Box {
  const spare = Math.max(bottom - top - styleOf(of).fontSize, 0) / 2
  return { left, right, top: top + spare, bottom: bottom - spare }
}

/** What is left of a line in everything that scrolls it; null when nothing is. */
function seenPart(line: Line, cut: string[]): Box | null {
  const box = { ...line.box }
  let position = 'static'
  for (let at: Element | null = line.of; at !== null && at !== document.body; at = at.parentElement) {
    const style = styleOf(at)
    // What is out of the flow is not cut by what it does not hang from.
    if (position === 'fixed' || (position === 'absolute' && style.position === 'static')) continue
    position = style.position
    const inner = innerBox(at)
    if (fits(box, inner, style)) continue
    const scrolls = [style.overflowX, style.overflowY].some((way) => way === 'auto' || way === 'scroll')
    if (!scrolls) cut.push(`${described(line)} is cut by ${nameOf(at)}`)
    else if (!reachable(at)) cut.push(`${nameOf(at)} scrolls, but no key reaches it`)
    if (style.overflowX !== 'visible') keepWithin(box, inner, 'left', 'right')
    if (style.overflowY !== 'visible') keepWithin(box, inner, 'top', 'bottom')
    if (box.right - box.left < SLACK || box.bottom - box.top < SLACK) return null
  }
  if (box.left < -SLACK || box.right > document.documentElement.clientWidth + SLACK)
    cut.push(`${described(line)} leaves the screen`)
  return box
}

const fits = (box: Box, inner: Box, { overflowX, overflowY }: Style): boolean =>
  (overflowX === 'visible' || (box.left >= inner.left - SLACK && box.right <= inner.right + SLACK)) &&
  (overflowY === 'visible' || (box.top >= inner.top - SLACK && box.bottom <= inner.bottom + SLACK))

function keepWithin(box: Box, inner: Box, low: 'left' | 'top', high: 'right' | 'bottom'): void {
  box[low] = Math.max(box[low], inner[low])
  box[high] = Math.min(box[high], inner[high])
}

/** Inside the borders. */
function innerBox(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  if (!(element instanceof HTMLElement)) return { left, top, right, bottom }
  const from = { left: left + element.clientLeft, top: top + element.clientTop }
  return { ...from, right: from.left + element.clientWidth, bottom: from.top + element.clientHeight }
}

const reachable = (scroller: Element): boolean =>
  (scroller instanceof HTMLElement && scroller.tabIndex >= 0) ||
  scroller.querySelector('a[href], button, input, select, textarea, [tabindex="0"]') !== null

/** Bars that stay while the page moves under them, and dialogs over it: their text may lie over other text. */
function layerOf(element: Element): Element {
  for (let at: Element | null = element; at !== null; at = at.parentElement)
    if (at.tagName === 'DIALOG' || ['fixed', 'sticky'].includes(styleOf(at).position)) return at
  return document.body
}

const px = (value: string): number => Number.parseFloat(value) || 0

/** Fields: what is typed, chosen or hinted at has room. */
function fieldLines(cut: string[]): Line[] {
  const brush = document.createElement('canvas').getContext('2d')
  return [...document.querySelectorAll('input, select, textarea')].flatMap((of) => {
    const text = textIn(of)
    if (text === '' || !shown(of) || unseen(of)) return []
    const style = getComputedStyle(of)
    const { left, right, top, bottom } = of.getBoundingClientRect()
    const room = right - left - px(style.paddingLeft) - px(style.paddingRight)
    if (brush !== null) brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    // Fields of several lines wrap. The letters are set a little closer than the brush does.
    const needed = of.tagName === 'TEXTAREA' ? 0 : (brush?.measureText(text).width ?? 0) * 0.98
    if (needed > room + SLACK)
      cut.push(`“${text}” needs ${Math.round(needed)} px, its field (${nameOf(of)}) has ${Math.round(room)}`)
    return [{ text, of, box: inked({ left, right, top, bottom }, of), layer: layerOf(of) }]
  })
}

function textIn(field: Element): string {
  if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.text ?? ''
  if (field instanceof HTMLTextAreaElement) return field.value || field.placeholder
  if (!(field instanceof HTMLInputElement)) return ''
  return ['range', 'checkbox', 'radio', 'date', 'time', 'password'].includes(field.type)
    ? ''
    : field.value || field.placeholder
}

/** Text that ends in dots says less than it should. */
const ellipses = (): string[] =>
  [...document.querySelectorAll('body *')]
    .filter((one) => one.scrollWidth > one.clientWidth + SLACK && shown(one) && !unseen(one))
    .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis' && styleOf(one).overflowX !== 'visible')
    .map((one) => `“${one.textContent}” (${nameOf(one)}) ends in dots`)

const common = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > TOUCH &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > TOUCH

/** Two texts of different elements on each other. */
function overlaps(lines: readonly Line[]): string[] {
  const sorted = lines.toSorted((a, b) => a.box.top - b.box.top)
  return sorted.flatMap((one, at) => {
    const found: string[] = []
    for (const other of sorted.slice(at + 1)) {
      if (other.box.top > one.box.bottom) break
      if (other.of !== one.of && other.layer === one.layer && common(one.box, other.box))
        found.push(`${described(one)} and ${described(other)} lie on each other`)
    }
    return found
  })
}

/** No label of a chart lies on its candles, bars, lines or stairs. `data-plot`: right and lower edge of the plot in its picture, px. */
function labelsOnPlots(): string[] {
  return [...document.querySelectorAll('[data-plot]')].filter(shown).flatMap((plot) => {
    const svg = plot.closest('svg')
    const shapes = [...plot.querySelectorAll('path, rect, circle')]
      .filter((shape) => shape.closest('clipPath') === null && shape.getAttribute('d') !== '')
      .map((shape) => shape.getBoundingClientRect())
    if (svg === null || shapes.length === 0) return []
    const { left, top } = svg.getBoundingClientRect()
    const [right = 0, bottom = 0] = plot.getAttribute('data-plot')?.split(' ').map(Number) ?? []
    const all = around(shapes)
    const area = { ...all, right: Math.min(all.right, left + right), bottom: Math.min(all.bottom, top + bottom) }
    return [...svg.querySelectorAll('text')]
      .filter((label) => label.textContent !== '' && common(inked(label.getBoundingClientRect(), label), area))
      .map((label) => `“${label.textContent}” lies on the plot of ${nameOf(svg)}`)
  })
}

const around = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  right: Math.max(...boxes.map(({ right }) => right)),
  top: Math.min(...boxes.map(({ top }) => top)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
})

/** All that is to be seen: text, fields, pictures. Grounds alone say nothing. */
function contents(): { of: Element; box: Box }[] {
  const drawn = [...document.querySelectorAll('svg, input, select, textarea, button, progress, img')]
  return [
    ...linesOf(document.body, []),
    ...drawn.filter((of) => shown(of) && !unseen(of)).map((of) => ({ of, box: of.getBoundingClientRect() })),
  ]
}

/** A wide screen is used: at least half of it across, and no column ends half a screen before the one beside it. */
export function emptyHalves(): string[] {
  const main = document.querySelector('main')
  const seen = contents().filter(({ of }) => main?.contains(of))
  if (main?.parentElement == null || seen.length === 0) return ['nothing is to be seen']
  const all = around(seen.map(({ box }) => box))
  const share = (all.right - all.left) / main.parentElement.clientWidth
  const narrow = share >= 0.5 ? [] : [`only ${Math.round(share * 100)} % of the page's width is used`]
  return [...narrow, ...[main, ...main.querySelectorAll('*')].flatMap((row) => holesIn(row, seen))]
}

/** Columns that stay in sight while the page moves never leave a hole. */
const isSticky = (element: Element): boolean =>
  [element, ...element.children].some((one) => ['sticky', 'fixed'].includes(styleOf(one).position))

function holesIn(row: Element, seen: readonly { of: Element; box: Box }[]): string[] {
  if (row.getBoundingClientRect().height < innerHeight / 2 || row.children.length < 2 || !shown(row)) return []
  const columns = new Map<number, Element[]>()
  for (const child of row.children) {
    const { left, width } = child.getBoundingClientRect()
    if (width >= 100) columns.set(Math.round(left), [...(columns.get(Math.round(left)) ?? []), child])
  }
  const ends = [...columns.values()].map((column) => ({
    first: column[0]?.getBoundingClientRect(),
    fixed: column.some(isSticky),
    bottom: Math.max(
      0,
      ...seen.filter(({ of }) => column.some((child) => child.contains(of))).map(({ box }) => box.bottom),
    ),
  }))
  const lowest = Math.max(...ends.map(({ bottom }) => bottom))
  // Only what really stands side by side.
  const beside = ends.some((one) => ends.some((other) => (one.first?.right ?? 0) <= (other.first?.left ?? 0)))
  return ends
    .filter(({ bottom, fixed }) => beside && !fixed && lowest - bottom > innerHeight / 2)
    .map(
      ({ first, bottom }) =>
        `${nameOf(row)} leaves ${Math.round(lowest - bottom)} px empty at ${Math.round(first?.left ?? 0)} px`,
    )
}
