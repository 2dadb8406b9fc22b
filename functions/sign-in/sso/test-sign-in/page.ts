import { type Html, html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';
import type { presentAttempt } from '../attempt/schema.ts';

type Presented = ReturnType<typeof presentAttempt>;

const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return withoutTurns(text.length > 500 ? `${text.slice(0, 500)}…` : text);
};

const rows = (values: Readonly<Record<string, unknown>>): Html =>
  html`<dl>
    ${Object.entries(values).map(
      ([name, value]) =>
        html`<dt><bdi>${withoutTurns(name)}</bdi></dt>
          <dd><bdi>${show(value ?? '–')}</bdi></dd>`,
    )}
  </dl>`;

/** The page with the result of a test sign-in, for the administrator who opened it. */
export function testPage(surroundings: Surroundings, attempt: Presented) {
  const { translate } = surroundings.language;
  const { profile, consequence, claims, checks } = attempt;
  const hasPassed = attempt.outcome === 'succeeded';
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return page(surroundings, {
    title: translate('sso_test.title'),
    lead: translate(hasPassed ? 'sso_test.passed' : 'sso_test.failed'),
    sign: hasPassed ? 'done' : 'rejected',
    body: html`${failed.map(
        ({ check, detail }) =>
          html`<div class="alert" role="alert"><strong>${check}</strong>: <bdi>${show(detail ?? '')}</bdi></div>`,
      )}
      ${consequence !== null && html`<p><code>${consequence.kind}</code> ${consequence.reason ?? ''} ${consequence.roles.join(', ')}</p>`}
      <h2>${translate('sso_test.profile')}</h2>
      ${rows(profile ?? {})}
      <h2>${translate('sso_test.claims')}</h2>
      ${rows(claims)}
      <h2>${translate('sso_test.checks')}</h2>
      ${rows(Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome])))}`,
  });
}
