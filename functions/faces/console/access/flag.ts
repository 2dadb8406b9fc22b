import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderChange } from '../page/change.ts';
import { call, type Calls, consolePage, isMissing, type Part, type Parts } from '../page/declare.ts';
import { addressIn, type Visit, withQuery } from '../page/visit.ts';
import type { Membership, User } from '../people/types.ts';
import { renderRows } from '../view/list-page.ts';
import { changeFlag, flagActs, flagRemoval, renderAdditions, renderSwitch, renderTargetRemoval } from './flag-acts.ts';
import { facts, frame, type List, panel, tableOr } from '../view/parts.ts';
import { renderRemoval } from '../view/removal.ts';
import { code, personName, record, state, tags, when, yesNo } from '../view/values.ts';

interface Flag {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  owner: { email: string } | null;
  enabled: boolean;
  default_value: boolean;
  tags: string[];
  created_at: string;
  updated_at: string;
}

interface Target {
  id: string;
  type: string;
  created_at: string;
}

interface Evaluated {
  value: boolean;
  reason: string;
}

/** The organizations of a user for which the flag is evaluated: each is one call. */
const MOST_ORGANIZATIONS = 4;

const readUser = ({ query }: Visit): string => (query.get('user') ?? '').trim();

const evaluate = (slug: string | undefined, context: Record<string, string>) =>
  call<Evaluated>('feature_flags.evaluate', { key: slug }, {}, { context });

/** A feature flag with its targets, and why it is on or off for a user. */
export const flagPage = consolePage({
  path: 'e/{environment}/flags/{slug}',
  title: 'Feature flag',
  permission: 'config.read',
  parent: 'e/{environment}/flags',
  main: 'flag',
  acts: flagActs,
  calls: (visit) => {
    const { slug } = visit.params;
    const userId = readUser(visit);
    const { after, before } = Object.fromEntries(visit.query);
    return {
      flag: call<Flag>('feature_flags.get', { slug }),
      targets: call<List<Target>>('feature_flags.list_targets', { slug }, { limit: 50, after, before }),
      ...(userId !== '' && {
        user: call<User>('users.get', { id: userId }),
        direct: evaluate(slug, { userId }),
        memberships: call<List<Membership>>('organization_memberships.list', {}, { user_id: userId, limit: 20 }),
      }),
    };
  },
  then: (parts, { params: { slug } }): Calls => {
    const { memberships } = parts as { memberships?: Part<List<Membership>> };
    return Object.fromEntries(
      listActive(memberships).map(({ organization_id: organizationId }) => [
        organizationId,
        evaluate(slug, { organizationId }),
      ]),
    );
  },
  heading: ({ flag }) =>
    flag.state === 'shown'
      ? {
          title: flag.value.name,
          lead: html`${state(flag.value.enabled ? 'enabled' : 'disabled')}<code>${flag.value.slug}</code>${code(flag.value.id)}`,
        }
      : undefined,
  view: (parts, visit) =>
    html`<div class="columns">
      <div>
        ${frame('Why for this user', renderWhy(parts as Parts<Calls>, visit))}
        ${panel(
          'Targets',
          parts.targets,
          () =>
            html`${renderRows(visit, 'Targets', parts.targets, columns(visit), 'No targets: the default decides.')}
              <div class="pad actions">${renderAdditions(visit)}</div>`,
        )}
      </div>
      <div>
        ${panel(
          'Feature flag',
          parts.flag,
          (flag) =>
            html`${facts([
                ['Description', flag.description],
                ['Owner', flag.owner?.email],
                ['Enabled', yesNo(flag.enabled)],
                ['On by default', yesNo(flag.default_value)],
                ['Tags', tags(flag.tags)],
                ['Created', when(flag.created_at)],
                ['Updated', when(flag.updated_at)],
              ])}
              <div class="pad actions">${renderSwitch(visit, flag.enabled)}</div>
              ${renderChange(visit, changeFlag, parts.flag, 'Feature flag')}`,
        )}
        ${parts.flag.state === 'shown' && renderRemoval(visit, flagRemoval, parts.flag.value)}
      </div>
    </div>`,
});

const columns = (visit: Visit) => [
  { title: 'Target', cell: (each: Target) => record(visit, each.id) },
  { title: 'Type', cell: (each: Target) => each.type },
  {
    title: 'Why',
    cell: (each: Target) =>
      each.type === 'user' &&
      html`<a href="${withQuery(addressIn(visit, 'flags', visit.params.slug ?? ''), { user: each.id })}">Why?</a>`,
  },
  { title: 'Since', look: 'when' as const, cell: (each: Target) => when(each.created_at) },
  { title: 'Change', cell: (each: Target) => renderTargetRemoval(visit, each.id) },
];

const listActive = (part: Part<List<Membership>> | undefined): Membership[] =>
  part?.state === 'shown'
    ? part.value.data.filter(({ status }) => status === 'active').slice(0, MOST_ORGANIZATIONS)
    : [];

const REASONS: Readonly<Record<string, string>> = {
  DISABLED: 'The flag is disabled: it is off for all.',
  TARGETING_MATCH: 'It is a target of the flag.',
};

/** The reason of an evaluation, in a sentence. */
const explain = ({ value, reason }: Evaluated): string =>
  REASONS[reason] ??
  (value ? 'The default of the flag is on.' : 'It is no target, and the default of the flag is off.');

function renderWhy(parts: Parts<Calls>, visit: Visit): Html {
  const userId = readUser(visit);
  const form = html`<form class="bar" method="get">
    <label class="wide"
      >User id
      <input name="user" value="${userId}" maxlength="100" placeholder="user_…" autocomplete="off" spellcheck="false"
    /></label>
    <button class="button" type="submit">Explain</button>
  </form>`;
  if (userId === '') return form;
  const { user, direct, memberships } = parts as {
    user: Part<User>;
    direct: Part<Evaluated>;
    memberships: Part<List<Membership>>;
  };
  if (user.state !== 'shown') {
    const sentence = user.state === 'left_out' && !isMissing(user) ? user.sentence : 'There is no such user.';
    return html`${form}
      <p class="out">${sentence}</p>`;
  }
  const asked: { subject: Html; part: Part<Evaluated> | undefined }[] = [
    { subject: html`The user ${record(visit, userId, personName(user.value))}`, part: direct },
    ...listActive(memberships).map(({ organization_id: id, organization_name: name }) => ({
      subject: html`The organization ${record(visit, id, name)}`,
      part: parts[id] as Part<Evaluated> | undefined,
    })),
  ];
  const isOn = asked.some(({ part }) => part?.state === 'shown' && part.value.value);
  return html`${form}
    <p class="pad">The flag is ${state(isOn ? 'on' : 'off', isOn ? 'good' : 'plain')} for this user.</p>
    ${tableOr(
      'Why for this user',
      [
        { title: 'Evaluated for', cell: (each) => each.subject },
        {
          title: 'Result',
          cell: ({ part }) =>
            part?.state === 'shown' && state(part.value.value ? 'on' : 'off', part.value.value ? 'good' : 'plain'),
        },
        {
          title: 'Why',
          cell: ({ part }) =>
            part?.state === 'shown' ? explain(part.value) : part?.state === 'left_out' && part.sentence,
        },
      ],
      asked,
      '',
    )}
    <p class="hint pad">
      With the first ${MOST_ORGANIZATIONS} active organizations of the user. Custom targets apply only where an
      application names them.
    </p>`;
}
