import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { clock } from '../../../kernel/clock.ts';
import { browserValue, isFromBrowser } from '../../../kernel/http/browser.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import type { Operator } from '../operator.ts';
import type { Sent } from '../page/declare.ts';
import { type ConsoleSignInRecord, consoleSignIns, signInBinding } from './sign-in-entity.ts';

/** The most bytes of a form that waits for a proof of identity, as JSON. A larger one is not kept. */
const MOST_BYTES = 65_536;

/** The member of the query that names a kept form. */
export const KEPT_FORM = 'form';

const makeInfo = (id: string): string => `console-form ${OPERATORS_ENVIRONMENT_ID} ${id}`;

/**
 * Encrypts the values of a form under the cookie of the browser that sent it, without their proof, which is of the former session.
 * @returns undefined for a form that is too large
 */
export function sealForm(id: string, cookie: string, { proof: _, ...values }: Sent): Uint8Array | undefined {
  const text = JSON.stringify(values);
  return Buffer.byteLength(text) > MOST_BYTES ? undefined : derivedSeal([cookie], makeInfo(id), text);
}

/**
 * Finds the form that waited for the proof of identity of its operator, for the same browser and page, up to ten minutes after it was
 * sent.
 * @param path the path below `/console/`
 */
export async function findKeptForm(
  operator: Pick<Operator, 'id'>,
  path: string,
  request: IncomingRequest,
): Promise<Sent | undefined> {
  const id = new URLSearchParams(request.rawQuery).get(KEPT_FORM) ?? '';
  if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
  const kept = await consoleSignIns.get(OPERATORS_ENVIRONMENT_ID, id);
  if (kept === undefined || !isFor(kept, operator, path)) return undefined;
  const cookie = browserValue(request, signInBinding(id));
  if (cookie === undefined || !isFromBrowser(request, signInBinding(id), kept.browserHash)) return undefined;
  const opened = derivedOpen([cookie], makeInfo(id), kept.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as Sent;
}

const isFor = (kept: ConsoleSignInRecord, { id }: Pick<Operator, 'id'>, path: string): boolean =>
  kept.isDone === true &&
  kept.sealed !== undefined &&
  kept.userId === id &&
  (kept.expiresAt ?? 0) > clock.seconds() &&
  new URL(kept.returnTo, 'https://console.invalid').pathname === `/console/${path}`;
