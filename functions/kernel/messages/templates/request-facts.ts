import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import type { Block } from '../content.ts';
import type { Setting } from '../template.ts';

/** The request that caused a mail, as far as it is known: who asked for a code, from where and when. */
export const RequestValues = z
  .object({
    /** The IP address of the client; anything else is left out. */
    address: z
      .string()
      .regex(/^[\da-f.:]{2,45}$/i)
      .optional()
      .catch(undefined),
    /** The header User-Agent. */
    userAgent: z.string().max(1_024).optional(),
    /** The time of the request (ISO 8601). */
    at: z.iso.datetime(),
  })
  .optional();

export type RequestOfMail = z.input<typeof RequestValues>;

/** The names by which browsers are recognized, the more specific before those that they also contain. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (list: typeof BROWSERS, text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/**
 * The browser and system of a User-Agent, such as "Chrome, macOS"; undefined for a program. Only known names are returned,
 * so that a mail never contains a text that its sender chose.
 */
export function describeDevice(userAgent: string): string | undefined {
  const browser = nameIn(BROWSERS, userAgent);
  return browser && [browser, nameIn(SYSTEMS, userAgent)].filter(Boolean).join(', ');
}

/** The blocks that say from where and when a mail was requested; none if the request is not known. */
export function requestFacts(request: z.output<typeof RequestValues>, { translate, locale }: Setting): Block[] {
  if (request === undefined) return [];
  const device = describeDevice(request.userAgent ?? '');
  const items = [
    ...(device === undefined ? [] : [{ label: translate('request.browser'), value: device }]),
    ...(request.address === undefined ? [] : [{ label: translate('request.address'), value: request.address }]),
    { label: translate('request.time'), value: formatDateTime(locale, request.at) },
  ];
  return [{ kind: 'facts', lead: translate('request.lead'), items }];
}
