import * as z from 'zod';

import { Failure } from '../../kernel/errors.ts';
import { browserValue, isOwnPage, newBrowserValue } from '../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../kernel/http/cookies.ts';
import { constantTimeEqual, sha256Hex } from '../../kernel/keys/hash.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { type FormBinding, proofOf } from '../page/form.ts';
import { foreignForm } from './refusals.ts';

const bindingOf = (subject: string): Binding => ({ purpose: 'page', id: sha256Hex(subject) });

/** A page that belongs to no sign-in, in the browser that it is shown in. */
export interface Standalone {
  binding: FormBinding;
  /** The Set-Cookie headers of the page. */
  cookies: string[];
}

/** Ties the forms of a page to the browser. @param subject What the page is about: a token, its path. */
export function standaloneOf(request: IncomingRequest, subject: string): Standalone {
  const value = browserValue(request, bindingOf(subject)) ?? newBrowserValue();
  return { binding: { value, subject }, cookies: [setCookie(bindingOf(subject), value)] };
}

/**
 * Whether a form was sent by the page that this browser was shown.
 * @returns false for one that is out of date: the page is shown again, and nothing is done. @throws Failure 403 for one of
 * another site
 */
export function isOwnStandalone(request: IncomingRequest, subject: string, proof: string): boolean {
  if (!isOwnPage(request)) throw new Failure(foreignForm);
  const value = browserValue(request, bindingOf(subject));
  return value !== undefined && constantTimeEqual(proof, proofOf({ value, subject }));
}

/** What a page that belongs to no sign-in says of a form that was not taken. */
export const StandaloneNotice = z.enum(['stale', 'cookies']).optional().catch(undefined);

/** The address of such a page with what is said there: the form was out of date, or its browser sends no cookies. */
export function againAt(address: string, request: IncomingRequest, subject: string): string {
  const notice = browserValue(request, bindingOf(subject)) === undefined ? 'cookies' : 'stale';
  return `${address}${address.includes('?') ? '&' : '?'}notice=${notice}`;
}
