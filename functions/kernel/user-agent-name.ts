/** Browsers by their words in a user agent, the more specific first: most browsers also name those that they descend from. */
const BROWSERS: readonly (readonly [word: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [word: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const find = (list: typeof BROWSERS, text: string): string | undefined => list.find(([word]) => word.test(text))?.[1];

/** The name of the browser of a user agent; undefined for a program. */
export const nameBrowser = (userAgent: string): string | undefined => find(BROWSERS, userAgent);

/**
 * A short name of the browser and system of a user agent, such as `Chrome, Windows`; undefined if it names neither. No
 * library is used, since one for all user agents is larger than the page that shows the name.
 */
export function nameUserAgent(userAgent: string | null | undefined): string | undefined {
  const text = userAgent ?? '';
  const parts = [nameBrowser(text), find(SYSTEMS, text)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}
