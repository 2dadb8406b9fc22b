import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { tableOr } from '../view/parts.ts';
import { moment, record, state, when } from '../view/values.ts';
import { nameLimits } from './limit-names.ts';
import { sendVerification } from './user-heading.ts';

interface Line {
  check: string;
  status: 'passed' | 'asks' | 'stops' | 'notice';
  reason: string;
  message: string;
  time: string | null;
  source: string;
  changed_by: string;
  remedy: string | null;
}

/** Why a person can or cannot sign in, in responses of the API. */
export interface Explanation {
  can_sign_in: boolean;
  required_steps: string[];
  summary: string;
  lines: Line[];
}

/** The names of organizations by their ids. */
export type Names = ReadonlyMap<string, string>;

const STATUSES = {
  passed: ['passed', 'good'],
  asks: ['step required', 'ask'],
  stops: ['stops here', 'bad'],
  notice: ['note', ''],
} as const;

const CHECKS: Readonly<Record<string, string>> = {
  account: 'Account',
  method: 'Method',
  policy: 'Single sign-on',
  limit: 'Limit',
  radar: 'Radar',
  address: 'Email address',
  message: 'Last message',
  factor: 'Second factor',
  membership: 'Organization',
  history: 'Last attempt',
};

const CHANGED_BY: Readonly<Record<string, string>> = {
  user: 'the person',
  operator: 'an operator or the back end of the application',
  organization_admin: 'an administrator of the organization',
  identity_provider: 'the administrator of the identity provider',
  environment: 'an operator, in the settings of this environment',
  time: 'no one: it passes with time',
};

/** Ids of records that have a page, and times, in a sentence of the API. */
const LINKED = /((?:org|conn)_[0-9A-HJKMNP-TV-Z]{26}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the API with links to the organizations and connections that it names, and with its times as times. */
const linkText = (visit: Visit, text: string, names: Names): Html[] =>
  nameLimits(text)
    .split(LINKED)
    .map((part, at) =>
      at % 2 === 0
        ? html`${part}`
        : html`<span class="said">${/^\d/.test(part) ? moment(part) : record(visit, part, names.get(part))}</span>`,
    );

/** The page that shows, and where possible changes, the cause of a line, by the operation that shows its record. */
function findPlace(visit: Visit, { source, check }: Line): [title: string, address: string] | undefined {
  const id = visit.params.id ?? '';
  const [, connection, attempt] = /^(?:\/x)?\/connections\/(\w+)(?:\/attempts\/(\w+))?$/.exec(source) ?? [];
  if (connection !== undefined) {
    return attempt === undefined
      ? ['Open the connection', addressIn(visit, 'connections', connection)]
      : ['Open the attempt', addressIn(visit, 'connections', connection, 'attempts', attempt)];
  }
  if (source.startsWith('/x/messages/suppressions/'))
    return ['Open the unreachable addresses', addressIn(visit, 'suppressions')];
  if (source.startsWith('/x/events?')) return ['Open the timeline', addressIn(visit, 'users', id, 'timeline')];
  if (source === '/x/authentication/settings')
    return ['Open the sign-in settings', addressIn(visit, 'sign-in-settings')];
  if (source === '/radar/lists') return ['Open Radar', addressIn(visit, 'radar')];
  if (check === 'limit') return ['See the limits', '#limits'];
  if (check === 'factor') return ['Open the factors of the account', addressIn(visit, 'users', id)];
  if (check === 'membership') return ['Open the organizations of the account', addressIn(visit, 'users', id)];
  return undefined;
}

/** Presents the remedy of a line for an operator: its form, or a link to the page that has one. */
function renderRemedy(visit: Visit, line: Line): Html | undefined {
  if (line.status === 'passed') return undefined;
  if (line.reason === 'address_unverified') {
    return renderAct(visit, sendVerification, { fields: {}, effect: 'Mails a new code to the address of this user.' });
  }
  const place = findPlace(visit, line);
  return place && html`<a href="${place[1]}">${place[0]}</a>`;
}

const renderWhy = (visit: Visit, line: Line, names: Names): Html => {
  const party = line.status === 'passed' ? undefined : CHANGED_BY[line.changed_by];
  const remedy = renderRemedy(visit, line);
  return html`${linkText(visit, line.message, names)}${line.remedy !== null && html`<small>${line.remedy.replaceAll('`', '')}</small>`}${
    party !== undefined && html`<small>Who can change it: ${party}</small>`
  }${remedy !== undefined && html`<div class="remedy">${remedy}</div>`}`;
};

/** The result in a sentence, with the look of the worst line. */
const renderSummary = (
  visit: Visit,
  { can_sign_in: can, required_steps: steps, summary }: Explanation,
  names: Names,
): Html => {
  const look = can ? (steps.length === 0 ? 'good' : 'ask') : 'bad';
  const text = can ? (steps.length === 0 ? 'can sign in' : 'step required') : 'cannot sign in';
  return html`<p class="pad">${state(text, look)} <strong>${linkText(visit, summary, names)}</strong></p>`;
};

/** The explanation: its result, and the lines in the order of a sign-in. */
export const renderExplanation = (visit: Visit, explanation: Explanation, names: Names): Html =>
  html`${renderSummary(visit, explanation, names)}
  ${tableOr(
    'Checks',
    [
      { title: 'Check', cell: (each) => CHECKS[each.check] ?? each.check },
      { title: 'Result', cell: ({ status }) => state(STATUSES[status][0], STATUSES[status][1]) },
      { title: 'Why', cell: (each) => renderWhy(visit, each, names) },
      { title: 'Time', look: 'when', cell: (each) => when(each.time) },
    ],
    explanation.lines,
    'No check applies.',
  )}`;
