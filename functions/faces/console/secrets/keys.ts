import { AREA_NAMES } from '../../../kernel/area-names.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { html } from '../../../kernel/pages/html.ts';
import { bulkPages } from '../bulk/pages.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { showOnce } from '../view/once.ts';
import { code, state, tags, when } from '../view/values.ts';

interface EnvironmentKey {
  id: string;
  name: string;
  last_four: string;
  read_only: boolean;
  areas: string[] | null;
  last_used_on: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  replaced_by: string | null;
  created_at: string;
}

/** Shows the value of a new key. */
const showKey = (body: unknown) => {
  const { id, value } = body as { id: string; value: string };
  return showOnce('The new key', value, html`<p class="hint">Id: <code>${id}</code></p>`);
};

/** Days after which a new key expires. */
const DAYS = [7, 30, 90, 365];

const create: Act = {
  name: 'create-key',
  label: 'Create a key',
  operation: 'environment_api_keys.create',
  call: ({ name, read_only: readOnly, area = '', days }, { now }) => {
    const lifetime = DAYS.find((each) => String(each) === days);
    return call(
      'environment_api_keys.create',
      {},
      {},
      {
        name,
        read_only: readOnly === 'on',
        ...(area !== '' && { areas: [area] }),
        ...(lifetime !== undefined && { expires_at: new Date(now + lifetime * DAY_MS).toISOString() }),
      },
    );
  },
  done: 'The key is created.',
  show: showKey,
};

const rotate: Act = {
  name: 'rotate-key',
  label: 'Rotate',
  operation: 'environment_api_keys.rotate',
  call: ({ id, hours }) => call('environment_api_keys.rotate', { id }, {}, { overlap_hours: Number(hours ?? '24') }),
  done: 'The key is rotated.',
  show: showKey,
};

const revoke: Act = {
  name: 'revoke-key',
  label: 'Revoke',
  operation: 'environment_api_keys.revoke',
  call: ({ id }) => call('environment_api_keys.revoke', { id }),
  done: 'The key is revoked.',
  bulk: {
    record: 'api_key',
    plural: 'API keys',
    effect: 'Calls with each of these keys are rejected within seconds. It cannot be undone.',
    isDanger: true,
    isRepeatable: true,
  },
};

const renderCreation = (visit: Visit) =>
  renderAct(visit, create, {
    fields: {},
    effect: 'Creates a key of this environment. Its value is shown once.',
    more: html`<label class="field"
        >Name <input name="name" required maxlength="128" autocomplete="off" placeholder="Back end"
      /></label>
      <label class="field"
        >Area
        <select name="area">
          <option value="">All areas</option>
          ${AREA_NAMES.map((name) => html`<option value="${name}">${name}</option>`)}
        </select></label
      >
      <label class="field"
        >Expires
        <select name="days">
          <option value="">Never</option>
          ${DAYS.map((days) => html`<option value="${days}">After ${days} days</option>`)}
        </select></label
      >
      <label><input type="checkbox" name="read_only" /> Reads only, without secrets</label>`,
  });

const isLive = ({ expires_at: end, revoked_at: revoked }: EnvironmentKey, now: number): boolean =>
  revoked === null && (end === null || Date.parse(end) > now);

const renderActs = (visit: Visit, key: EnvironmentKey) =>
  isLive(key, visit.now) &&
  html`<div class="actions">
    ${
      key.replaced_by === null &&
      renderAct(visit, rotate, {
        fields: { id: key.id },
        of: key.name,
        effect: `Creates a key in the place of “${key.name}”, with the same limits. Its value is shown once.`,
        more: html`<label class="field"
          >The present key expires
          <select name="hours">
            <option value="0">At once</option>
            <option value="24" selected>After a day</option>
            <option value="168">After a week</option>
          </select></label
        >`,
      })
    }
    ${renderAct(visit, revoke, {
      fields: { id: key.id },
      of: key.name,
      effect: `Calls with “${key.name}” are rejected within seconds. It cannot be undone.`,
      look: 'danger',
    })}
  </div>`;

const renderState = (key: EnvironmentKey, now: number) =>
  key.revoked_at !== null
    ? html`${state('revoked', 'bad')} ${when(key.revoked_at)}`
    : html`${isLive(key, now) ? state('valid') : state('expired', 'bad')} ${when(key.expires_at)}`;

/** The API keys of the environment, without their values. */
export const keysPage = listPage<EnvironmentKey>({
  path: 'e/{environment}/keys',
  title: 'API keys',
  permission: 'config.read',
  menu: { group: 'Secrets', shortcut: 'k' },
  operation: 'environment_api_keys.list',
  acts: [create, rotate, revoke],
  select: ({ id, name, revoked_at: revoked }) => (revoked === null ? { id, name } : undefined),
  above: renderCreation,
  columns: (visit) => [
    {
      title: 'Name',
      cell: (each) => html`${each.name}<small>${code(each.id)}</small>`,
    },
    { title: 'Value', cell: (each) => html`<code>…${each.last_four}</code>` },
    {
      title: 'Limits',
      cell: (each) => html`${each.read_only && state('reads only', 'plain')} ${tags(each.areas)}`,
    },
    { title: 'Last used', cell: (each) => each.last_used_on ?? 'Never' },
    { title: 'State', cell: (each) => renderState(each, visit.now) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
    { title: 'Acts', cell: (each) => renderActs(visit, each) },
  ],
  none: 'No keys. Create the first one above, or with “npm run keys -- create”.',
});

/** The pages of acts on many API keys. */
export const keyBulkPages = bulkPages({ ...keysPage, permission: 'config.read' });
