/** Browsers by their words in a user agent, the more specific first: most browsers also name those that they descend from. */
const BROWSERS: readonly (readonly [word: RegExp, name: string])[] = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
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

/**
 * A short name of the browser and system of a user agent, such as `Chrome, Windows`; undefined if it names neither. No
 * library is used, since one for all user agents is larger than the page that shows the name.
 */
export function nameUserAgent(userAgent: string | null | undefined): string | undefined {
  const text = userAgent ?? '';
  const parts = [find(BROWSERS, text), find(SYSTEMS, text)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}
