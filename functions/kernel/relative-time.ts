import { clock } from './clock.ts';

/**
 * Formats a past time for a reader of the language by its age: "2 minutes ago", or "now" within the minute. It is for times of
 * the last hour.
 */
export function formatAge(locale: string, timestamp: string): string {
  const minutes = Math.floor(Math.max(0, clock.now() - Date.parse(timestamp)) / 60_000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return minutes === 0 ? format.format(0, 'second') : format.format(-minutes, 'minute');
}

/** The name of a country by its code (ISO 3166-1 alpha-2) in the language of the reader. */
export const nameCountry = (locale: string, code: string): string =>
  new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code) ?? code;
