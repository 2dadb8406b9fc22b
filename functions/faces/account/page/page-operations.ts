import * as z from 'zod';

import { declareError, type DeclaredError, Failure } from '../../../kernel/errors.ts';
import type { EventName } from '../../../kernel/events/catalogue/names.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { isOwnPage } from '../../../kernel/http/browser.ts';
import { operation, type Operation } from '../../../kernel/operation.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { PageFailure, withPages } from '../../../kernel/pages/error-page.ts';
import { foreignForm, formInvalid, RejectedForm } from '../../../kernel/pages/form-errors.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import { sentByPage } from '../../../kernel/pages/link.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { accountCaller, accountPageNotFound, startSignIn, takeFound, takeForDisplay } from '../session/caller.ts';
import { isProven } from '../session/proof.ts';
import { accountPath, bindForm, type Visit } from '../session/visit.ts';
import type { SectionName } from '../settings.ts';
import type { AccountWord } from '../words/en.ts';
import { renderPage } from './render.ts';

/** The values of a form by the names of its fields. */
export type Sent = Readonly<Record<string, string>>;

/** The rejected values of a form, with the error at each field. */
export interface Rejected {
  sent: Sent;
  wrong: Readonly<Record<string, string>>;
  /** The seconds after which the form is accepted again, if a limit rejected it. */
  retrySeconds?: number | undefined;
}

/** The result of a form. */
export type Outcome =
  /** A redirect to a page of the account with a message; without a page, to the overview. */
  | { to?: string | undefined; done?: AccountWord; cookies?: readonly string[] }
  | { location: string; cookies?: readonly string[] }
  | { ending: { body: string; headers: Record<string, string> }; cookies?: readonly string[] };

/** The form's values were rejected, so the page is shown again with an error at each field, or with an alert. */
export class FormRejection extends Error {
  readonly wrong: Readonly<Record<string, string>>;
  readonly alert: string | undefined;
  /** True if the unit of work is committed although the form was rejected, because it has the event of a failure. */
  readonly commits: boolean;

  constructor(wrong: Readonly<Record<string, string>> | string, { commits = false } = {}) {
    super('The form was rejected');
    this.wrong = typeof wrong === 'string' ? {} : wrong;
    this.alert = typeof wrong === 'string' ? wrong : undefined;
    this.commits = commits;
  }
}

/** A change that a policy of the user's organization, or the environment, does not allow. */
export const changeNotAllowed = declareError({
  status: 403,
  code: 'account_change_not_allowed',
  message: 'This part of the account cannot be changed by its user. The page gives the reason.',
});

/** The form of error responses of the account's pages. */
export const accountErrorForm = withPages(messagesWith400);

/** One page of the account with its form. */
export interface AccountPage {
  /** The last segment of the path, and the name in the ids of its operations: `account.show_<name>` and `account.change_<name>`. */
  name: string;
  /** The setting that enables the page; absent for a page that every account has. */
  section?: SectionName;
  summary: string;
  emits: readonly EventName[];
  /** Errors of the form that responses report in addition to those of every form. */
  errors?: readonly DeclaredError[];
  /** False for the page on which users prove their identity. */
  needsProof?: boolean;
  /** The reason for which the user may not change this part of the account; undefined if they may. */
  findObstacle?: (visit: Visit) => Promise<string | undefined>;
  show: (visit: Visit, rejected?: Rejected) => Promise<Content>;
  act: (visit: Visit, sent: Sent, unit: Unit) => Promise<Outcome>;
}

const Form = z
  .looseObject({ proof: z.string().max(200).optional() })
  .meta({ id: 'AccountForm', description: 'The fields of the page’s form, and the proof that the page was shown.' });

/** The query of a page of the account. */
export const Query = z.object({
  /** The message after a form: a key of the page's texts. */
  done: z.string().max(64).optional().catch(undefined),
  notice: z.enum(['stale', 'again']).optional().catch(undefined),
  /** The page to which a proof of identity returns. */
  to: z.string().max(64).optional().catch(undefined),
});

const common = {
  auth: accountCaller,
  query: Query,
  errorForm: accountErrorForm,
  idempotency: 'none',
  beyondContract: true,
} as const;

/** A redirect with cookies. @param location an address below the service's own */
export const redirect = (location: string, cookies: readonly string[] = []) => ({
  status: 302 as const,
  headers: { location },
  cookies,
});

const withQuery = (path: string, members: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(members).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
};

/** The address of the page on which the user proves their identity, and from which they return to a page. */
export const confirmationPath = ({ environmentId }: Visit, to: string, notice?: string): string =>
  withQuery(accountPath(environmentId, 'confirm'), { to, notice });

/** The texts of a form, without blanks around them, save passwords, which are used as they are typed. */
const textFields = (body: object): Sent =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, name.includes('password') ? value : value.trim()]] : [],
    ),
  );

/** The message of a redirect, if the page has it; any other text in the address is ignored. */
export function readMessage(visit: Visit, { done, notice }: z.output<typeof Query>): Pick<Content, 'notice' | 'alert'> {
  const { translate, surroundings } = visit;
  if (notice === 'stale') return { alert: surroundings.language.translate('page.stale') };
  if (notice === 'again') return { alert: translate('confirm.again') };
  return done?.startsWith('done.') === true ? { notice: translate(done as AccountWord) } : {};
}

/** Makes the operations of a page: GET shows it and changes nothing; POST handles its form. */
export function accountPage(own: AccountPage): Operation[] {
  const { name, section, summary, needsProof = true, errors = [], show, act } = own;
  const path = `/hosted/account/{client_id}/${name}` as const;
  const isEnabled = ({ options }: Visit): boolean => section === undefined || options.sections[section];
  const findObstacle = async (visit: Visit): Promise<string | undefined> =>
    visit.verdict === undefined
      ? visit.translate('impersonated.obstacle', { operator: visit.impersonator ?? '' })
      : own.findObstacle?.(visit);
  const missing = ({ surroundings }: Visit) =>
    new PageFailure(accountPageNotFound, endingPage(surroundings, 'error.not_found'));
  const explain = async (visit: Visit, obstacle: string) =>
    renderPage(visit, { title: visit.translate(`${name}.title` as AccountWord), lead: obstacle });
  return [
    operation({
      ...common,
      id: `account.show_${name}`,
      method: 'GET',
      path,
      summary,
      responses: { 200: PageBody, 302: null },
      errors: [accountPageNotFound],
      emits: [],
      async handle({ request, query, unit }) {
        const { place, visit } = await takeForDisplay(unit, request);
        if (visit === undefined) return redirect(startSignIn(unit, place.environmentId, name));
        if (!isEnabled(visit)) throw missing(visit);
        const obstacle = await findObstacle(visit);
        if (obstacle !== undefined) return { status: 200, ...(await explain(visit, obstacle)) };
        if (needsProof && !(await isProven(visit))) return redirect(confirmationPath(visit, name));
        const content = await show(visit);
        return { status: 200, ...renderPage(visit, { ...content, ...readMessage(visit, query) }) };
      },
    }),
    operation({
      ...common,
      id: `account.change_${name}`,
      method: 'POST',
      path,
      summary: `Submit the form of ${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}`,
      body: Form,
      form: true,
      responses: { 200: PageBody, 302: null },
      errors: [accountPageNotFound, formInvalid, foreignForm, changeNotAllowed, ...errors],
      emits: own.emits,
      async handle({ request, body, unit }) {
        const { place, visit } = await takeFound(request);
        if (!isOwnPage(request)) throw new Failure(foreignForm);
        if (visit === undefined) return redirect(startSignIn(unit, place.environmentId, name));
        if (!isEnabled(visit)) throw missing(visit);
        const { environmentId, binding } = visit;
        const sent = textFields(body);
        const { subject } = bindForm(visit, name);
        if (sentByPage(request, binding, { subject, proof: body.proof ?? '' }) === undefined) {
          return redirect(withQuery(accountPath(environmentId, name), { notice: 'stale', to: sent.to }));
        }
        const obstacle = await findObstacle(visit);
        if (obstacle !== undefined) throw new PageFailure(changeNotAllowed, await explain(visit, obstacle));
        if (needsProof && !(await isProven(visit))) return redirect(confirmationPath(visit, name, 'again'));
        const outcome = await act(visit, sent, unit).catch((error: unknown) => rejectForm(visit, error, sent, show));
        const { cookies = [] } = outcome;
        if ('ending' in outcome) return { status: 200, ...outcome.ending, cookies };
        if ('location' in outcome) return redirect(outcome.location, cookies);
        return redirect(withQuery(accountPath(environmentId, outcome.to), { done: outcome.done }), cookies);
      },
    }),
  ];
}

/** Shows the page again with the errors of its form, or after too many attempts; other errors are thrown. */
async function rejectForm(visit: Visit, error: unknown, sent: Sent, show: AccountPage['show']): Promise<never> {
  if (error instanceof FormRejection) {
    const content = await show(visit, { sent, wrong: error.wrong });
    const isWrong = Object.keys(error.wrong).length > 0;
    const page = renderPage(visit, { ...content, alert: error.alert, isWrong });
    throw new RejectedForm(page, { commitOnFailure: error.commits });
  }
  if (!(error instanceof Failure) || error.declared.status !== 429) throw error;
  const seconds = Math.max(1, Math.ceil(error.details.retryAfter ?? 60));
  const alert = visit.surroundings.language.translate('page.too_many', { seconds });
  throw new RejectedForm(
    renderPage(visit, { ...(await show(visit, { sent, wrong: {}, retrySeconds: seconds })), alert }),
  );
}
