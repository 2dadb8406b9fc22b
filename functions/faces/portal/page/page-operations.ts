import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { declareError } from '../../../kernel/errors.ts';
import { messages } from '../../../kernel/http/error-response.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { operation, type Operation } from '../../../kernel/operation.ts';
import { PageFailure, withPages } from '../../../kernel/pages/error-page.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import { sentByPage } from '../../../kernel/pages/link.ts';
import type { Intent } from '../../../tenancy/modules/portal-access/public.ts';
import { ApiRejection } from '../session/api.ts';
import { endedSession, findVisit, missingPage, portalBinding, sessionEnded, type Visit } from '../session/visit.ts';
import { FORM_SUBJECT, renderPage } from './render.ts';
import { explainRejection } from './rejection.ts';

/** The values of a form by the names of its fields. */
export type Sent = Readonly<Record<string, string>>;

/** The result of submitting a form: a redirect to another page, or this page with a result that only this response shows. */
export type Outcome = { to: string; cookies?: readonly string[] } | { content: Content; cookies?: readonly string[] };

/** The form's input was rejected, so the page is shown again with this message. */
export class FormRejection extends Error {}

/** One page of the portal with its form. */
export interface PortalPage {
  /** The name of the page: `portal.domains` has the operations `portal.show_domains` and `portal.change_domains`. */
  name: string;
  /** The path of the page below `/portal/{client_id}/`. */
  path: string;
  summary: string;
  /** The tasks to which the page belongs; empty for a page of every session. */
  intents: readonly Intent[];
  /** Shows the page. @param sent The values of a form that was rejected */
  show: (visit: Visit, sent?: Sent) => Promise<Content>;
  act?: (visit: Visit, sent: Sent) => Promise<Outcome>;
}

/** The form of the page was rejected. */
export const formRejected = declareError({
  status: 400,
  code: 'portal_form_rejected',
  message: 'The form was rejected. The page gives the reason.',
});

/** The form of error responses of the portal's pages. */
export const portalErrorForm = withPages(messages);

const Form = z
  .looseObject({ proof: z.string().max(200), do: z.string().max(64).optional() })
  .meta({ id: 'PortalForm', description: 'The fields of the page’s form, and the proof that the page was shown.' });

const common = {
  auth: anyCaller,
  errorForm: portalErrorForm,
  emits: [],
  idempotency: 'none',
  beyondContract: true,
} as const;

/** Converts rejected API calls into pages. */
const guarded = async <T>(visit: Visit, request: IncomingRequest, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiRejection)) throw error;
    if (error.status === 401) throw endedSession(request);
    throw missingPage(visit);
  }
};

/** Makes the operations of a page: its GET, and the POST of its form if it has one. */
export function portalPage({ name, path, summary, intents, show, act }: PortalPage): Operation[] {
  const address = `/portal/{client_id}/${path}`;
  const display = operation({
    ...common,
    id: `portal.show_${name}`,
    method: 'GET',
    path: address,
    summary,
    responses: { 200: PageBody },
    errors: [sessionEnded],
    async handle({ params, request }) {
      const visit = await findVisit(request, params, intents);
      const content = await guarded(visit, request, () => show(visit));
      return { status: 200, ...renderPage(visit, content) };
    },
  });
  if (act === undefined) return [display];
  const submission = operation({
    ...common,
    id: `portal.change_${name}`,
    method: 'POST',
    path: address,
    summary: `Submit the form of the portal’s page: ${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}`,
    body: Form,
    form: true,
    responses: { 302: null, 200: PageBody },
    errors: [sessionEnded, formRejected],
    async handle({ params, body, request }) {
      const visit = await findVisit(request, params, intents);
      const fields = textFields(body);
      const again = async (alert: string): Promise<never> => {
        const content = await guarded(visit, request, () => show(visit, fields));
        throw new PageFailure(formRejected, renderPage(visit, { ...content, alert }));
      };
      const form = { subject: FORM_SUBJECT, proof: body.proof };
      if (sentByPage(request, portalBinding(visit.environmentId), form) === undefined) {
        return again(visit.surroundings.language.translate('page.stale'));
      }
      const outcome = await act(visit, fields).catch((error: unknown) => {
        const text = error instanceof FormRejection ? error.message : explainRejection(visit, error);
        if (text !== undefined) return again(text);
        return guarded(visit, request, () => Promise.reject(error as Error));
      });
      const cookies = outcome.cookies && { cookies: outcome.cookies };
      if ('to' in outcome) return { status: 302, headers: { location: outcome.to }, ...cookies };
      // A page that sets a cookie ends its session.
      const isLast = outcome.cookies !== undefined;
      return { status: 200, ...renderPage(visit, outcome.content, { isLast }), ...cookies };
    },
  });
  return [display, submission];
}

/** The texts of a form, without blanks around them. */
const textFields = (body: object): Sent =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
  );
