import * as z from 'zod';

import { MAX_RESPONSE } from '../../../proofs/passkeys/public.ts';
import { environmentOfFlow, findEventOrigin } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { pageErrorForm } from './errors.ts';
import { signInEvents } from './events.ts';
import { tokenInQuery } from './in-query.ts';
import { foreignForm, formErrors } from './errors.ts';
import {
  makeCookies,
  isOwnForm,
  pageIn,
  type PageReply,
  redirect,
  staleNotice,
  type Visit,
  openVisit,
} from './visit.ts';

const visitor = tokenInQuery('flow', (token) => environmentOfFlow(token)?.environmentId);

const text = z.string().max(2_048).optional();

/** The fields in the forms of a sign-in, of which each page reads its own. */
export const Form = z.object({
  /** Binds the form to the browser to which it was shown. */
  proof: text,
  /** The pressed button, if there are several. */
  do: text,
  email: text,
  password: text,
  first_name: text,
  last_name: text,
  code: text,
  organization_id: text,
  phone_number: text,
  /** The answers to the options of a consent page, of which there are ten at most. */
  option_0: text,
  option_1: text,
  option_2: text,
  option_3: text,
  option_4: text,
  option_5: text,
  option_6: text,
  option_7: text,
  option_8: text,
  option_9: text,
  /** The ticked choices of a page: to stay signed in, and not to be asked for a second factor again. */
  stay: text,
  trust: text,
  /** The token of a captcha, under the name that its provider's script gives it. */
  'cf-turnstile-response': z.string().max(8_192).optional(),
  'h-captcha-response': z.string().max(8_192).optional(),
  signals_id: text,
  /** The response of an authenticator as JSON, which the script fills in. */
  credential: z.string().max(MAX_RESPONSE).optional(),
  /** The challenge of the first page, so that the page with an error shows the same. */
  passkey_challenge: text,
});

export type Form = z.output<typeof Form>;

const Query = z.object({
  /** The token of the sign-in. */
  flow: z.string().max(200).optional(),
  /** The alert: `stale` if a form was outdated, `cookies` if the browser sent none, `sent` after a new code. */
  notice: z.enum(['stale', 'cookies', 'sent']).optional().catch(undefined),
});

/** One page of a sign-in: its content and the handler of its form. */
export interface Step {
  /** The name in the ids of its operations: `pages.show_<name>` and `pages.take_<name>`. */
  name: string;
  path: string;
  summary: string;
  /** Renders the page, or returns a response without a page, such as a redirect. */
  show: (visit: Visit, unit: Unit, notice: string | undefined) => Promise<Page | PageReply>;
  /** Handles the form. It responds with a redirect, or throws `RejectedForm`. */
  take: (visit: Visit, form: Form, unit: Unit) => Promise<PageReply>;
  /** False if the form has no values that could be invalid. */
  canBeWrong?: boolean;
}

/**
 * Makes the two operations of a page. GET shows it and changes nothing except by a sign-in without a prompt; POST handles
 * its form.
 */
export function step({ name, path, summary, show, take, canBeWrong = true }: Step) {
  const common = {
    path,
    auth: visitor,
    beyondContract: true,
    query: Query,
    emits: signInEvents,
    idempotency: 'none',
    errorForm: pageErrorForm,
  } as const;
  return [
    operation({
      ...common,
      id: `pages.show_${name}`,
      method: 'GET',
      summary,
      responses: { 200: PageBody, 302: null },
      errors: [],
      async handle({ query, request, unit }) {
        const visit = await openVisit(query.flow ?? '', request);
        if ('reply' in visit) return visit.reply;
        unit.setOrigin(findEventOrigin(visit.flow));
        const rendered = await show(visit, unit, noticeText(visit, query.notice));
        if ('status' in rendered) return { ...rendered, cookies: [...makeCookies(visit), ...(rendered.cookies ?? [])] };
        return { status: 200, ...rendered, cookies: makeCookies(visit) };
      },
    }),
    operation({
      ...common,
      id: `pages.take_${name}`,
      method: 'POST',
      summary: `Submit the form of ${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}`,
      description:
        'Only the form of the page sends this request. All pages have the same list of fields, of which each uses its own.',
      body: Form,
      form: true,
      responses: { 200: PageBody, 302: null },
      errors: canBeWrong ? formErrors : [foreignForm],
      async handle({ query, body, request, unit }) {
        const visit = await openVisit(query.flow ?? '', request);
        if ('reply' in visit) return visit.reply;
        unit.setOrigin(findEventOrigin(visit.flow));
        if (!isOwnForm(visit, body.proof ?? '')) return redirect(pageIn(visit, path, { notice: staleNotice(visit) }));
        return take(visit, body, unit);
      },
    }),
  ] as const;
}

const NOTICES = { stale: 'page.stale', cookies: 'page.cookies', sent: 'code.resent' } as const;

const noticeText = ({ surroundings }: Visit, notice: keyof typeof NOTICES | undefined): string | undefined =>
  notice && surroundings.language.translate(NOTICES[notice]);
