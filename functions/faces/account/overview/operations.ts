import { awaitAll } from '../../../kernel/concurrency.ts';
import { enumeration } from '../../../kernel/locale.ts';
import { operation } from '../../../kernel/operation.ts';
import { html, type Html, PageBody } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import { findMembers } from '../page/governance.ts';
import { accountErrorForm, Query, readMessage, redirect } from '../page/page-operations.ts';
import { renderPage } from '../page/render.ts';
import { findConnectedAccounts, ownsPassword } from '../page/sign-in-methods.ts';
import { findOwnFactors, nameFactor } from '../sections/authenticator.ts';
import { countOwnRecoveryCodes } from '../sections/recovery-codes.ts';
import { findOwnSessions } from '../sections/sessions.ts';
import { accountCaller, accountPageNotFound, startSignIn, takeForDisplay } from '../session/caller.ts';
import { accountPath, type Visit } from '../session/visit.ts';
import { findOwnPasskeys } from '../session/proof.ts';
import { SECTIONS, type SectionName } from '../settings.ts';

/** The value of each section on the overview; undefined for a section that only has an action. */
const VALUES: Readonly<Record<SectionName, (visit: Visit) => Promise<string | undefined>>> = {
  name: async ({ user, translate }) =>
    user.name ?? ([user.firstName, user.lastName].filter(Boolean).join(' ') || translate('value.none')),
  email: async ({ user }) => user.email,
  password: async (visit) => visit.translate((await ownsPassword(visit)) ? 'value.set' : 'value.not_set'),
  passkeys: async (visit) =>
    listNames(
      visit,
      (await findOwnPasskeys(visit)).map(({ name }) => name),
    ),
  authenticator: async (visit) =>
    listNames(
      visit,
      (await findOwnFactors(visit)).map((factor) => nameFactor(visit, factor)),
    ),
  recovery_codes: async (visit) => String(await countOwnRecoveryCodes(visit)),
  sessions: async (visit) => String((await findOwnSessions(visit)).length),
  connected_accounts: async (visit) =>
    listNames(
      visit,
      (await findConnectedAccounts(visit)).map(({ name }) => name),
    ),
  organizations: async (visit) =>
    listNames(
      visit,
      (await findMembers(visit)).map(({ organization }) => organization.name),
    ),
  data: async () => undefined,
  deletion: async () => undefined,
};

const MOST_NAMES = 5;

function listNames({ translate, surroundings }: Visit, names: readonly string[]): string {
  if (names.length === 0) return translate('value.none');
  const first = names.slice(0, MOST_NAMES);
  const text = enumeration(surroundings.language.locale, first);
  return names.length > first.length ? `${text} …` : text;
}

async function row(visit: Visit, name: SectionName): Promise<Html> {
  const { translate, environmentId } = visit;
  const value = await VALUES[name](visit);
  const title = translate(`${name}.title`);
  return html`<li>
    <div class="row">
      <strong>${title}</strong>
      <a href="${accountPath(environmentId, name)}" aria-label="${translate('open', { section: title })}"
        >${translate('change')}</a
      >
    </div>
    ${value !== undefined && html`<p class="hint">${value}</p>`}
  </li>`;
}

/** The content of the overview: a row for each section that the settings enable. */
export async function describeAccount(visit: Visit): Promise<Content> {
  const { translate, user, options } = visit;
  const sections = SECTIONS.filter((name) => options.sections[name]);
  const rows = await awaitAll(sections.map((name) => row(visit, name)));
  return {
    title: translate('overview.title'),
    lead: translate('overview.lead', { email: user.email }),
    body: html`<ul class="records">
      ${rows}
    </ul>`,
  };
}

export const showOverview = operation({
  id: 'account.show_overview',
  method: 'GET',
  path: '/hosted/account/{client_id}',
  summary: 'The account page of the signed-in user',
  description: 'A browser without a session is sent to the sign-in.',
  auth: accountCaller,
  query: Query,
  errorForm: accountErrorForm,
  responses: { 200: PageBody, 302: null },
  errors: [accountPageNotFound],
  emits: [],
  idempotency: 'none',
  beyondContract: true,
  async handle({ request, query, unit }) {
    const { place, visit } = await takeForDisplay(unit, request);
    if (visit === undefined) return redirect(startSignIn(unit, place.environmentId, undefined));
    const content = { ...(await describeAccount(visit)), ...readMessage(visit, query) };
    return { status: 200, ...renderPage(visit, content, { isOverview: true }) };
  },
});

export const overviewOperations = [showOverview] as const;
