import { clock } from '../../../kernel/clock.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import { foreignForm, formInvalid } from '../../../kernel/pages/form-errors.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { grantFor, listPlaces, type Operator, pageNotFound } from '../operator.ts';
import { type PageIndex, readPageIndex } from '../page-index.ts';
import { loadSection } from '../sections.ts';
import { beginSignIn } from '../session/begin-sign-in.ts';
import { findKeptForm } from '../session/kept-form.ts';
import { performAct } from './act.ts';
import { renderAsCalls } from './as-calls.ts';
import type { Calls, ConsolePage, Parts, Sent } from './declare.ts';
import { consoleShell, withoutDirectionMarks } from './layout.ts';
import { documentHeaders, securityHeaders } from './headers.ts';
import { hasPage, listCrumbs, listMenu } from './menu.ts';
import { findPage } from './router.ts';
import { runCalls } from './run-calls.ts';
import { pageAddress, type Visit, withQuery } from './visit.ts';

/** The errors of the forms of pages, in addition to those of pages. */
export const consoleFormErrors = [foreignForm, formInvalid] as const;

/** A request for a page. */
export interface PageRequest {
  method: 'GET' | 'POST';
  /** The path below `/console/`; empty for the start page. */
  path: string;
  request: IncomingRequest;
  /** The fields of the form. */
  form?: Sent;
}

/** The response to a request for a page. */
export type PageResponse =
  | { status: 200; body: string; headers: Record<string, string> }
  | { status: 303; headers: { location: string }; cookies?: string[] };

/**
 * Responds to a request for a page of the console. @throws PageFailure 404 for a page that does not exist or that the operator
 * may not see, 403 for a form of another page, 422 for a form that the API rejected
 */
export async function respondWithPage(operator: Operator, asked: PageRequest): Promise<PageResponse> {
  const index = await readPageIndex();
  const { page, visit: found } = await findVisit(index, operator, asked);
  const kept = asked.method === 'GET' ? await findKeptForm(operator, asked.path, asked.request) : undefined;
  const visit = { ...found, kept };
  const findToken = memoizeToken(operator, visit);
  if (asked.method === 'GET') {
    return { status: 200, ...(await renderPage(page, visit, findToken, kept && { done: PROVED })) };
  }
  const { form = {} } = asked;
  const outcome = await performAct(page, visit, asked.request, form, findToken);
  if ('location' in outcome) return { status: 303, headers: outcome };
  if ('content' in outcome) return { status: 200, ...(await renderPage(page, visit, findToken, outcome)) };
  if ('again' in outcome) return { status: 200, ...(await renderPage(page, filled(visit, outcome.again), findToken)) };
  if (outcome.problem === 'no-act') throw missingPage(operator, visit);
  // An operator who has signed in by a link may have no password, and then could not return from the hosted pages.
  if (outcome.problem === 'step-up' && !operator.isByLink) {
    return beginSignIn(withQuery(pageAddress(visit), Object.fromEntries(visit.query)), {
      operator,
      form,
    });
  }
  const { problem, text: alert, filled: values = form } = outcome;
  const again = problem === 'foreign' ? visit : filled(visit, values);
  const rejected = await renderPage(page, again, findToken, { alert });
  throw new PageFailure(problem === 'foreign' ? foreignForm : formInvalid, rejected);
}

/** A visit whose page shows a form with the values that were sent. */
const filled = (visit: Visit, kept: Sent): Visit => ({ ...visit, kept });

async function findVisit(
  { pages }: PageIndex,
  operator: Operator,
  { path, request }: PageRequest,
): Promise<{ page: ConsolePage; visit: Visit }> {
  const match = findPage(pages, path);
  const environment = listPlaces(operator).find(({ id }) => id === match?.params.environment);
  const visit: Visit = {
    operator,
    environment,
    params: match?.params ?? {},
    query: new URLSearchParams(request.rawQuery),
    path,
    now: clock.now(),
  };
  const section = match !== undefined && hasPage(match.page, visit) ? await loadSection(match.page.section) : [];
  const page = section.find((each) => each.path === match?.page.path);
  if (page === undefined) throw missingPage(operator, visit);
  return { page, visit };
}

/** Finds the grant once, at the first call of a request. */
function memoizeToken(operator: Operator, { environment }: Visit): () => Promise<string> {
  let token: Promise<string> | undefined;
  return () => (token ??= grantFor(operator, environment?.id ?? ''));
}

/** The result of a form that its page shows: the reason why nothing was done, or content that is shown once. */
interface ActResult {
  alert?: string;
  content?: Html;
  done?: string;
}

async function renderPage(
  page: ConsolePage,
  visit: Visit,
  findToken: () => Promise<string>,
  result: ActResult = {},
): Promise<Page> {
  const prepared = page.prepare === undefined ? visit : await page.prepare(visit);
  if (prepared === undefined) throw missingPage(visit.operator, visit);
  return renderPrepared(page, prepared, findToken, result);
}

async function renderPrepared(
  page: ConsolePage,
  visit: Visit,
  findToken: () => Promise<string>,
  result: ActResult,
): Promise<Page> {
  const first = page.calls(visit);
  const parts: Parts<Calls> = { ...(await runCalls(first, visit.environment, findToken)) };
  const main = page.main === undefined ? undefined : parts[page.main];
  if (main?.state === 'absent' || (main?.state === 'left_out' && main.status < 429 && main.status !== 400)) {
    throw missingPage(visit.operator, visit);
  }
  const second = page.then?.(parts, visit) ?? {};
  const all: Parts<Calls> = { ...parts, ...(await runCalls(second, visit.environment, findToken)) };
  if (page.data !== undefined) {
    const body = withoutDirectionMarks(JSON.stringify(page.data(all, visit)));
    return { body, headers: securityHeaders('application/json') };
  }
  if (page.document !== undefined) return { body: page.document(all, visit), headers: documentHeaders() };
  return present(await readPageIndex(), page, visit, all, { ...result, calls: { ...first, ...second } });
}

const PROVED = 'You have proved who you are. Check the form below, and send it again.';

/** Presents the parts of a page in the layout of the console. */
function present(
  { pages, done: ofOthers }: PageIndex,
  page: ConsolePage,
  visit: Visit,
  parts: Parts<Calls>,
  { calls, alert, content, done }: ActResult & { calls: Calls },
): Page {
  const main = page.main === undefined ? undefined : parts[page.main];
  const heading = page.heading?.(parts, visit);
  const name = visit.query.get('done') ?? '';
  const earlier =
    page.acts.find((act) => act.name === name)?.done ?? (Object.hasOwn(ofOthers, name) ? ofOthers[name] : undefined);
  return consoleShell({
    operator: visit.operator,
    environment: visit.environment,
    ...(visit.environment !== undefined && { menu: listMenu(pages, visit, page) }),
    crumbs: listCrumbs(pages, visit, page),
    title: heading?.title ?? page.title,
    lead: heading?.lead,
    mark: heading?.mark,
    alert,
    notice: alert === undefined ? (done ?? earlier) : undefined,
    search: visit.query.get('q') ?? '',
    hasFrames: page.hasFrames,
    content: html`${main?.state === 'left_out' && html`<p class="alert">${main.sentence}</p>`}${content}${page.view(parts, visit)}${renderAsCalls(calls)}`,
  });
}

/** The error for a page that does not exist, which is the same for one that the operator may not see. */
export function missingPage(operator: Operator, visit: Pick<Visit, 'environment'>): PageFailure {
  const back = visit.environment === undefined ? '/console' : `/console/e/${visit.environment.id}`;
  return new PageFailure(
    pageNotFound,
    consoleShell({
      operator,
      environment: visit.environment,
      title: 'Page not found',
      content: html`<p>There is no such page or record here, or your roles do not include it.</p>
        <p><a class="button" href="${back}">${visit.environment?.name ?? 'All environments'}</a></p>`,
    }),
  );
}
