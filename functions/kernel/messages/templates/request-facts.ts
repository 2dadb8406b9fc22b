import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import { nameBrowser, nameUserAgent } from '../../user-agent-name.ts';
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

/**
 * The browser and system of a User-Agent, such as "Chrome, macOS"; undefined for a program. Only known names are returned,
 * so that a mail never contains a text that its sender chose.
 */
export const describeDevice = (userAgent: string): string | undefined =>
  nameBrowser(userAgent) && nameUserAgent(userAgent);

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
