// Expressions that Chromium evaluates on a page. They are texts, because the globals of browsers have no types here.

/** The facts of a page that {@link INSPECTION} returns. */
export interface Inspected {
  /** Pixels by which the page is wider than its window. */
  overflow: number;
  language: string;
  direction: string;
  /** Number of pictures that were not loaded. */
  broken: number;
  /** Placeholders and the like in its text. */
  placeholders: string[];
  /** Targets that are less than 24 px high (WCAG 2.2, 2.5.8), save links within sentences. */
  small: string[];
}

export const INSPECTION = `(() => {
  const { documentElement: root, body } = document;
  const targets = [...document.querySelectorAll('button, a, select, input:not([type=hidden]), summary')]
    .filter((element) => element.getClientRects().length > 0 && !element.closest('p:not(.under), label, td, .skip'))
    .map((element) => ({ element, height: element.getBoundingClientRect().height }));
  return {
    overflow: root.scrollWidth - root.clientWidth,
    language: root.lang,
    direction: getComputedStyle(body).direction,
    broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).length,
    placeholders: body.innerText.match(/\\{\\w+\\}|undefined|\\[object/g) ?? [],
    small: targets
      .filter(({ height }) => height < 24)
      .map(({ element, height }) => (element.textContent || element.tagName).trim().slice(0, 40) + ': ' + height + ' px high'),
  };
})()`;

/** The share of the pixels in which two pictures differ, from 0 to 1; 1 for pictures of different sizes. */
export const comparison = (one: Buffer, other: Buffer): string => `(async () => {
  const read = async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read('${toDataUrl(one)}'), await read('${toDataUrl(other)}')];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    if ([0, 1, 2].some((part) => Math.abs(a.data[at + part] - b.data[at + part]) > 16)) different += 1;
  }
  return different / (a.width * a.height);
})()`;

const toDataUrl = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;
