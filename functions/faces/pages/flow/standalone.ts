import * as z from 'zod';

import { Failure } from '../../../kernel/errors.ts';
import { browserValue, isOwnPage, newBrowserValue } from '../../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../../kernel/http/cookies.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { FormBinding } from '../../../kernel/pages/form.ts';
import { sentByPage } from '../../../kernel/pages/link.ts';
import { foreignForm } from './errors.ts';

const makeBinding = (subject: string): Binding => ({ purpose: 'page', id: sha256Hex(subject) });

/** A page that belongs to no sign-in, with its binding to the browser. */
export interface Standalone {
  binding: FormBinding;
  /** The Set-Cookie headers of the page. */
  cookies: string[];
}

/**
 * Binds the forms of a page to the browser.
 * @param subject the subject of the page: a token, or its path
 */
export function openStandalone(request: IncomingRequest, subject: string): Standalone {
  const value = browserValue(request, makeBinding(subject)) ?? newBrowserValue();
  return { binding: { value, subject }, cookies: [setCookie(makeBinding(subject), value)] };
}

/**
 * Reports whether a form was sent by the page in this browser.
 * @returns false for an outdated form: the page is shown again without any effect
 * @throws Failure 403 for a form of another site
 */
export function isOwnStandalone(request: IncomingRequest, subject: string, proof: string): boolean {
  if (!isOwnPage(request)) throw new Failure(foreignForm);
  return sentByPage(request, makeBinding(subject), { subject, proof }) !== undefined;
}

/** The alert of a page that belongs to no sign-in after its form was not accepted. */
export const StandaloneNotice = z.enum(['stale', 'cookies']).optional().catch(undefined);

/** The address of such a page with the alert: the form was outdated, or its browser sends no cookies. */
export function againAt(address: string, request: IncomingRequest, subject: string): string {
  const notice = browserValue(request, makeBinding(subject)) === undefined ? 'cookies' : 'stale';
  return `${address}${address.includes('?') ? '&' : '?'}notice=${notice}`;
}
