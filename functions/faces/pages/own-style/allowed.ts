/**
 * The content that an environment's own style rules can have. Everything else is rejected, so a rule can neither hide, cover,
 * move nor fake a text, nor make one unreadable, nor load anything: there are no addresses, no positions, no generated content, no
 * colours of text, and no selectors that depend on attributes or values.
 */

/** The selectors that a rule may have, each with the selector that the pages have for it. */
export const SELECTORS: Readonly<Record<string, string>> = {
  body: 'body',
  '.card': '.card',
  '.brand': '.brand',
  '.brand img': '.brand img',
  '.mark': '.brand .mark',
  h1: 'h1',
  '.lead': '.lead',
  form: 'form',
  '.stack': '.stack',
  label: 'label',
  input: 'input:not([type=hidden]):not([type=checkbox])',
  '.button': '.button',
  '.button.quiet': '.button.quiet',
  '.or': '.or',
  footer: 'footer',
};

/** The states that can follow a selector. */
export const STATES = [':hover', ':focus-visible', ':active'] as const;

/** A condition of `@media`, as the generator writes it. */
export const CONDITION =
  /^\((?:prefers-color-scheme:(?:dark|light)|(?:min|max)-width:\d{1,4}(?:\.\d{1,3})?(?:px|rem))\)$/;

/** Checks a value. @returns false for one that is not allowed */
type Check = (value: string) => boolean;

export interface Property {
  check: Check;
  /** The allowed values, for an error. */
  values: string;
  /** The selectors to which the property is limited; absent for all. */
  only?: readonly string[];
}

const NUMBER = /^-?(?:\d+|\d*\.\d+)$/;
const LENGTH = /^(-?(?:\d+|\d*\.\d+))(px|rem|em)$/;
/** The pixels of a `rem`, and the most of an `em`: the largest font of a heading is bounded too. */
const ROOT_PIXELS = 16;

function readPixels(value: string): number | undefined {
  if (value === '0') return 0;
  const [, amount = '', unit] = LENGTH.exec(value) ?? [];
  return unit === undefined ? undefined : Number(amount) * (unit === 'px' ? 1 : ROOT_PIXELS);
}

/** Lengths in px, rem or em within bounds in pixels. @param most the maximum number of them */
function lengths(least: number, greatest: number, most = 1): Pick<Property, 'check' | 'values'> {
  const isWithin = (value: string): boolean => {
    const pixels = readPixels(value);
    return pixels !== undefined && pixels >= least && pixels <= greatest;
  };
  return {
    check: (value) => value.split(' ').length <= most && value.split(' ').every(isWithin),
    values: `${most === 1 ? 'a length' : `one to ${most} lengths`} of ${least} to ${greatest} px, in px, rem or em`,
  };
}

const oneOf = (...words: string[]): Pick<Property, 'check' | 'values'> => ({
  check: (value) => words.includes(value),
  values: words.join(', '),
});

const between = (least: number, greatest: number): Pick<Property, 'check' | 'values'> => ({
  check: (value) => NUMBER.test(value) && Number(value) >= least && Number(value) <= greatest,
  values: `a number of ${least} to ${greatest}`,
});

/** The colours behind text: every text of the pages is readable on both and on what is between (`theme/palette.ts`). */
const BEHIND = 'var\\(--(?:bg|surface)\\)';
const STOP = `${BEHIND}(?: \\d{1,3}%)?`;
const GRADIENT = new RegExp(
  `^(?:linear-gradient\\((?:\\d{1,3}deg,)?|radial-gradient\\((?:circle,|ellipse,)?)${STOP}(?:,${STOP}){1,5}\\)$`,
);
const BORDER_COLOUR = /^var\(--(?:line|control|accent|link|text)\)$/;
const SHADOW =
  /^((?:-?[\d.]+(?:px|rem)?) (?:-?[\d.]+(?:px|rem)?)(?: [\d.]+(?:px|rem)?){0,2}) (?:#[0-9a-f]{3,8}|var\(--(?:line|accent|accent-soft)\))$/i;

/** Up to three shadows outside of the element. The footer, which follows the card, is painted above them. */
const isShadow = (value: string): boolean =>
  value === 'none' ||
  (value.split(',').length <= 3 &&
    value.split(',').every((one) => {
      const [, offsets] = SHADOW.exec(one) ?? [];
      return offsets !== undefined && lengths(-64, 64, 4).check(offsets);
    }));

/** The most pixels above and below an element, and to its sides: nested elements still leave room for words at 320 pixels. */
const MOST_BLOCK = 64;
const MOST_INLINE = 16;

const spaces = (name: 'margin' | 'padding', inline: number): Record<string, Property> => ({
  [name]: lengths(0, inline, 4),
  ...Object.fromEntries(
    ['top', 'bottom', 'block', 'block-start', 'block-end'].map((side) => [`${name}-${side}`, lengths(0, MOST_BLOCK)]),
  ),
  ...Object.fromEntries(
    ['right', 'left', 'inline', 'inline-start', 'inline-end'].map((side) => [`${name}-${side}`, lengths(0, inline)]),
  ),
});

/** The properties that a rule may set. */
export const PROPERTIES: Readonly<Record<string, Property>> = {
  'background-color': {
    check: (value) => new RegExp(`^${BEHIND}$`).test(value),
    values: 'var(--bg), var(--surface)',
    only: ['body', '.card', 'footer'],
  },
  'background-image': {
    check: (value) => value === 'none' || GRADIENT.test(value),
    values: 'none, or a linear-gradient or radial-gradient of var(--bg) and var(--surface)',
    only: ['body', '.card', 'footer'],
  },
  'box-shadow': {
    check: isShadow,
    values: 'none, or up to three shadows of lengths up to 64 px with a colour such as #0003',
    only: ['.card'],
  },
  'max-width': { ...lengths(320, 640), only: ['.card'] },
  width: { ...lengths(16, 240), only: ['.brand img'] },
  'max-height': { ...lengths(16, 160), only: ['.brand img'] },
  'min-height': { ...lengths(44, 64), only: ['input', '.button', '.button.quiet'] },
  'align-items': { ...oneOf('start', 'center', 'end'), only: ['body'] },
  'justify-content': { ...oneOf('start', 'center', 'end'), only: ['body', '.brand'] },
  'border-radius': lengths(0, 48, 4),
  'border-width': lengths(0, 4, 4),
  'border-style': oneOf('solid', 'dashed', 'dotted', 'double'),
  'border-color': {
    check: (value) => BORDER_COLOUR.test(value),
    values: 'var(--line), var(--control), var(--accent), var(--link), var(--text)',
  },
  'font-size': lengths(14, 40),
  'font-style': oneOf('normal', 'italic'),
  'font-weight': between(300, 900),
  'letter-spacing': lengths(-1, 4),
  'line-height': between(1.2, 2),
  'text-align': oneOf('start', 'center', 'end'),
  'text-transform': oneOf('none', 'uppercase', 'lowercase', 'capitalize'),
  gap: lengths(8, 40),
  ...spaces('margin', MOST_INLINE),
  ...spaces('padding', MOST_INLINE),
};

/** Properties with other bounds for a selector. */
export const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, Property>>>> = {
  '.card': spaces('padding', 40),
};
