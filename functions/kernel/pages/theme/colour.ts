/** A colour as its red, green and blue parts, 0 to 255. */
type Parts = readonly [number, number, number];

/** The parts of `#rrggbb`. */
function parseColour(colour: string): Parts {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

const formatColour = (parts: Parts): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Computes the relative luminance of a colour, 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminance(colour: string): number {
  const [red, green, blue] = parseColour(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Computes the contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Mixes two colours.
 * @param share 0 is the first, 1 the second
 */
export function mix(from: string, to: string, share: number): string {
  const [start, end] = [parseColour(from), parseColour(to)];
  return formatColour(start.map((part, at) => part + ((end[at] ?? 0) - part) * share) as unknown as Parts);
}

/** Black or white, whichever has the higher contrast on a colour: at least 4.58 : 1 on any. */
export const textOn = (colour: string): string =>
  contrast(colour, '#ffffff') >= contrast(colour, '#0b0d10') ? '#ffffff' : '#0b0d10';

/**
 * The colour closest to a given one that has enough contrast on every background. It is mixed with another colour, which
 * has enough contrast, as far as needed.
 * @param ratio 4.5 for text, 3 for the borders of controls (WCAG 2.2, 1.4.3 and 1.4.11)
 */
export function readable(colour: string, towards: string, backgrounds: readonly string[], ratio: number): string {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(colour, towards, share);
    if (backgrounds.every((background) => contrast(candidate, background) >= ratio)) return candidate;
  }
  return towards;
}
