import { formatDateTime } from '../../../kernel/locale.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { FormRejection, type Outcome, type Sent } from '../page/page-operations.ts';
import { portalForm, stateMark } from '../page/render.ts';
import { ApiRejection, apiPath } from '../session/api.ts';
import { missingPage, type Visit } from '../session/visit.ts';
import { type AttemptView, type ConnectionView, findAttempts, isConfigured, isTested } from './connection.ts';

const pageOf = ({ id }: ConnectionView): string => `sso/${id}/test`;

/** A button in a form of its own. */
const action = (visit: Visit, connection: ConnectionView, name: string, label: string, look = 'button') =>
  portalForm(
    visit,
    pageOf(connection),
    html`<button class="${look}" type="submit" name="do" value="${name}">${label}</button>`,
  );

/** The test sign-in, its result, and the button that activates or deactivates the connection. */
export async function showTest(visit: Visit, connection: ConnectionView) {
  const { translate, query } = visit;
  if (!isConfigured(connection)) {
    return { lead: translate('test.configure_first'), body: html`` };
  }
  const attempts = await findAttempts(visit, connection.id);
  const asked = query.get('attempt_id');
  const attempt = attempts.find(({ id }) => id === asked) ?? attempts.find(({ kind }) => kind === 'test');
  const isActive = connection.state === 'active';
  const mayActivate = !isActive && isTested(connection, attempts);
  return {
    lead: translate('test.lead'),
    // The form leads to the identity provider, and from there to any page that it uses.
    targets: 'anywhere' as const,
    body: html`${attempt !== undefined && renderAttempt(visit, attempt)}
      <div class="actions">
        ${action(visit, connection, 'test', translate('test.start'), mayActivate ? 'button quiet' : 'button')}
        ${mayActivate && action(visit, connection, 'activate', translate('test.activate'))}
        ${isActive && action(visit, connection, 'deactivate', translate('test.deactivate'), 'button quiet')}
      </div>
      ${!isActive && !mayActivate && html`<p class="hint">${translate('test.needed')}</p>`}`,
  };
}

const OUTCOMES = { passed: 'good', failed: 'bad' } as const;

const hasOutcome = ({ checks }: AttemptView, name: string, wanted: string): boolean =>
  checks.some(({ check, outcome }) => check === name && outcome === wanted);

/**
 * Reports whether the signature of the response fits no certificate of the connection. The check of the certificates is only
 * reached if there is a signature.
 */
const isOtherKey = (attempt: AttemptView): boolean =>
  hasOutcome(attempt, 'certificates', 'passed') && hasOutcome(attempt, 'signature', 'failed');

/** The members of a profile that have names in the language of the page. */
const NAMES = {
  idp_id: 'attribute.idp_id',
  email: 'attribute.email',
  first_name: 'attribute.first_name',
  last_name: 'attribute.last_name',
  name: 'attribute.name',
  groups: 'attribute.groups',
} as const;

/** The reason of a failed test: a wrong certificate is named as such, every other one by the detail of the failed check. */
function renderReason({ translate }: Visit, attempt: AttemptView): Html | false {
  if (attempt.error === null) return false;
  if (isOtherKey(attempt)) return html`<p class="alert">${translate('test.other_certificate')}</p>`;
  const failed = attempt.checks.find(({ outcome }) => outcome === 'failed');
  return html`<p class="alert" lang="en">${failed?.detail ?? attempt.error.message}</p>`;
}

function renderAttempt(visit: Visit, attempt: AttemptView): Html {
  const { translate, locale } = visit;
  const { outcome, consequence } = attempt;
  const profile = Object.entries(attempt.profile ?? {}).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value) ? value.map(String).join(', ') : typeof value === 'string' ? value : '';
    return text === '' ? [] : [[name, text]];
  });
  const checks = attempt.checks.filter((one) => one.outcome === 'passed' || one.outcome === 'failed');
  return html`<h2>${translate('test.result', { time: formatDateTime(locale, attempt.created_at) })}</h2>
    <p>
      ${
        outcome === 'succeeded'
          ? stateMark(translate('test.succeeded'), 'good')
          : stateMark(
              translate(outcome === 'failed' ? 'test.failed' : 'test.pending'),
              outcome === 'failed' ? 'bad' : '',
            )
      }
    </p>
    ${renderReason(visit, attempt)}
    ${
      profile.length > 0 &&
      html`<dl class="facts">
        ${profile.map(
          ([name, value]) =>
            html`<div>
              <dt>${name in NAMES ? translate(NAMES[name as keyof typeof NAMES]) : name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>`
    }
    ${consequence !== null && html`<p>${translate(`consequence.${consequence.kind}`)}</p>`}
    ${
      checks.length > 0 &&
      html`<details>
        <summary>${translate('test.checks')}</summary>
        <dl class="facts">
          ${checks.map(
            ({ check, outcome: result, detail }) =>
              html`<div>
                <dt lang="en">${check}</dt>
                <dd lang="en">
                  ${stateMark(result, OUTCOMES[result as keyof typeof OUTCOMES])}${detail !== null && html` ${detail}`}
                </dd>
              </div>`,
          )}
        </dl>
      </details>`
    }`;
}

/**
 * Starts a test sign-in, activates the connection, which the API allows only after a test that has succeeded since its last
 * change, or deactivates it.
 */
export async function switchOrTest(visit: Visit, connection: ConnectionView, sent: Sent): Promise<Outcome> {
  const { api, path, translate } = visit;
  const { id } = connection;
  const here = path(pageOf(connection));
  if (sent.do === 'test') {
    const made = await api<{ url: string }>('POST', apiPath`/x/connections/${id}/test_sign_ins`, { return_url: here });
    return { to: made.url };
  }
  if (sent.do === 'deactivate') {
    await api('PATCH', apiPath`/x/connections/${id}`, { state: 'inactive' });
    return { to: `${here}?done=saved` };
  }
  if (sent.do !== 'activate') throw missingPage(visit);
  await api('PATCH', apiPath`/x/connections/${id}`, { state: 'active' }).catch((error: unknown) => {
    throw error instanceof ApiRejection && error.status === 403 ? new FormRejection(translate('test.needed')) : error;
  });
  return { to: `${here}?done=saved` };
}
