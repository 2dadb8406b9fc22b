import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { changeAct, changePanel } from '../page/change.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { readDocument, renderDocumentForm } from '../view/document.ts';
import { facts, frame, type List, panel, tableOr } from '../view/parts.ts';
import { code, small, state, yesNo } from '../view/values.ts';
import { addEntry, type Entry, removeEntry, renderEntries } from './radar-lists.ts';

interface Tally {
  allow: number;
  challenge: number;
  block: number;
}

interface Result {
  verdict: string;
  control: string | null;
  reason: string;
}

interface Simulation {
  attempts: number;
  before: Tally;
  after: Tally;
  changed: number;
  changes: { attempt_id: string; before: Result; after: Result }[];
}

const LOOKS: Readonly<Record<string, 'good' | 'wait' | 'bad'>> = { allow: 'good', challenge: 'wait', block: 'bad' };
const verdict = (text: string) => state(text, LOOKS[text]);

const simulate: Act = {
  name: 'simulate',
  label: 'Simulate',
  operation: 'radar.simulate',
  isRead: true,
  call: ({ rules }) => call('radar.simulate', {}, {}, readDocument(rules)),
  done: 'Nothing was changed. This is what these rules would have done.',
  show: (body, _, visit) => renderSimulation(visit, body as Simulation),
};

/** The longest rule set in a form, in characters. */
const LONGEST = 100_000;

const renderSimulationForm = (visit: Visit, rules: object): Html | undefined =>
  renderDocumentForm(visit, simulate, rules, {
    title: 'Simulation',
    effect: 'Evaluates the last 1,000 attempts with these rules. It changes nothing.',
    name: 'rules',
    label: 'Rules as JSON',
    rows: 14,
    longest: LONGEST,
  });

function renderSimulation(visit: Visit, { attempts, before, after, changed, changes }: Simulation): Html {
  const rows = (['allow', 'challenge', 'block'] as const).map((each) => ({ each, was: before[each], is: after[each] }));
  return frame(
    'Result of the simulation',
    html`<p class="pad">${changed} of ${attempts} attempts would get another verdict or control.</p>
      ${tableOr(
        'Verdicts',
        [
          { title: 'Verdict', cell: ({ each }) => verdict(each) },
          { title: 'Before', look: 'n', cell: ({ was }) => was },
          { title: 'With these rules', look: 'n', cell: ({ is }) => is },
        ],
        rows,
        '',
      )}
      ${tableOr(
        'Attempts that change',
        [
          {
            title: 'Attempt',
            cell: (each) =>
              html`<a class="mono" href="${addressIn(visit, 'radar', each.attempt_id)}">${each.attempt_id}</a>`,
          },
          { title: 'Before', cell: (each) => html`${verdict(each.before.verdict)}${small(each.before.reason)}` },
          {
            title: 'With these rules',
            cell: (each) => html`${verdict(each.after.verdict)}${small(each.after.reason)}`,
          },
        ],
        changes,
        'No attempt changes.',
      )}`,
  );
}

const changeRules = changeAct({ operation: 'radar.put_rules' });
const changeSettings = changeAct({ operation: 'radar.update_settings' });

const resetRules: Act = {
  name: 'reset-rules',
  label: 'Use the default rules',
  operation: 'radar.reset_rules',
  call: () => call('radar.reset_rules'),
  done: 'The default rules apply.',
};

const radarPage = consolePage({
  path: 'e/{environment}/radar',
  title: 'Radar',
  permission: 'config.read',
  menu: { group: 'Activity' },
  main: 'rules',
  acts: [simulate, changeRules, changeSettings, resetRules, addEntry, removeEntry],
  calls: () => ({
    rules: call<Record<string, unknown>>('radar.get_rules'),
    settings: call<Record<string, unknown>>('radar.get_settings'),
    addresses: call<List<Entry>>('radar.list_entries', { type: 'ip_address' }, { limit: 20 }),
    domains: call<List<Entry>>('radar.list_entries', { type: 'domain' }, { limit: 20 }),
  }),
  view: ({ rules, settings, addresses, domains }, visit) =>
    html`<div class="columns">
      <div>
        ${changePanel(visit, 'Rules', rules, changeRules)}
        ${rules.state === 'shown' && renderSimulationForm(visit, rules.value)} ${renderReset(visit)}
      </div>
      <div>
        ${panel('Addresses', addresses, (list) => renderEntries(visit, 'ip_address', list))}
        ${panel('Domains', domains, (list) => renderEntries(visit, 'domain', list))}
        ${changePanel(visit, 'Settings', settings, changeSettings)}
      </div>
    </div>`,
});

function renderReset(visit: Visit) {
  const form = renderAct(visit, resetRules, {
    fields: {},
    effect: 'Replaces all rules by the default ones. The lists and the settings stay.',
    look: 'danger',
    typed: 'default rules',
  });
  return form && frame('Default rules', html`<div class="pad">${form}</div>`);
}

interface Attempt extends Result {
  id: string;
  action: string;
  auth_method: string;
  email: string;
  ip_address: string | null;
  user_agent: string | null;
  rules_version: string;
  lists: { allow: string[]; block: string[]; not_evaluated: { type: string; reason: string }[] } | null;
  signals: { name: string; value: unknown; source: string; not_evaluated: string | null }[];
  controls: { control: string; mode: string; points: number; threshold: number; triggered: boolean }[];
}

/** The explanation of an assessment: each signal, each control, and the line that decided. */
const attemptPage = consolePage({
  path: 'e/{environment}/radar/{id}',
  title: 'Attempt',
  permission: 'people.read',
  parent: 'e/{environment}/radar',
  main: 'attempt',
  calls: ({ params: { id } }) => ({ attempt: call<Attempt>('radar.get_attempt', { id }) }),
  heading: ({ attempt }) =>
    attempt.state === 'shown'
      ? { title: 'Attempt', lead: html`${verdict(attempt.value.verdict)}${code(attempt.value.id)}` }
      : undefined,
  view: ({ attempt }) =>
    html`<div class="columns">
      <div>
        ${panel('Controls', attempt, ({ controls }) =>
          tableOr(
            'Controls',
            [
              { title: 'Control', cell: (each) => each.control.replaceAll('_', ' ') },
              { title: 'Mode', cell: (each) => each.mode },
              { title: 'Points', look: 'n', cell: (each) => `${each.points} of ${each.threshold}` },
              { title: 'Triggered', cell: (each) => each.triggered && state('triggered', 'bad') },
            ],
            controls,
            'No controls.',
          ),
        )}
        ${panel('Signals', attempt, ({ signals }) =>
          tableOr(
            'Signals',
            [
              { title: 'Signal', cell: (each) => each.name.replaceAll('_', ' ') },
              { title: 'Value', cell: (each) => (each.not_evaluated === null ? String(each.value) : undefined) },
              { title: 'From', cell: (each) => html`${each.source}${small(each.not_evaluated)}` },
            ],
            signals,
            'No signals.',
          ),
        )}
      </div>
      <div>
        ${panel('Attempt', attempt, (each) =>
          facts([
            ['Why', each.reason],
            ['Decided by', each.control?.replaceAll('_', ' ')],
            ['Action', each.action.replaceAll('_', ' ')],
            ['Method', each.auth_method.replaceAll('_', ' ')],
            ['Email', each.email],
            ['Address', each.ip_address],
            ['Browser', each.user_agent],
            ['Rules', each.rules_version],
            ['On the allow list', each.lists === null ? 'Not read' : yesNo(each.lists.allow.length > 0)],
            ['On the block list', each.lists === null ? 'Not read' : yesNo(each.lists.block.length > 0)],
          ]),
        )}
        <p class="hint">Attempts are kept for 30 days.</p>
      </div>
    </div>`,
});

/** Radar with its simulation, and the explanation of an attempt. */
export const radarPages = [radarPage, attemptPage];
