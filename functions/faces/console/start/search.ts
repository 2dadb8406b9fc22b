import { type Html, html } from '../../../kernel/pages/html.ts';
import { call, consolePage, type Part } from '../page/declare.ts';
import { mayCall } from '../page/run-calls.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { empty, frame, type List } from '../view/parts.ts';
import { recordAddress } from '../view/values.ts';

/** A hit of a search. */
interface Hit {
  id: string;
  kind: string;
  name: string | null;
  matched_by: string;
  organization_id: string | null;
  user_id: string | null;
  created_at: string | null;
}

interface Hits extends List<Hit> {
  hint: string | null;
  hint_code: string | null;
}

/** The longest text that is searched for, in characters. */
const LONGEST = 200;

const readText = ({ query }: Visit): string => (query.get('q') ?? '').trim().slice(0, LONGEST);

const calls = (visit: Visit) => {
  const text = readText(visit);
  return {
    ...(text === '' ? {} : { hits: call<Hits>('search.query', {}, { q: text }) }),
  } as { hits: ReturnType<typeof call<Hits>> };
};

const presentTitle = ({ name, id }: Hit): string => name ?? id;
const presentKind = ({ kind }: Hit): string => kind.replaceAll('_', ' ');

/** The page of a hit: its own, or that of its user or organization. */
const findAddress = (visit: Visit, { id, user_id: user, organization_id: organization }: Hit): string | undefined =>
  recordAddress(visit, id) ?? recordAddress(visit, user ?? '') ?? recordAddress(visit, organization ?? '');

/** The hits of a search; each leads to its record. */
export const searchPage = consolePage({
  path: 'e/{environment}/search',
  title: 'Search',
  permission: 'people.read',
  parent: 'e/{environment}',
  calls,
  heading: (_, visit) => ({ title: readText(visit) === '' ? 'Search' : `Search: ${readText(visit)}` }),
  view: (parts, visit) => renderHits(visit, (parts as Partial<typeof parts>).hits),
});

function renderHits(visit: Visit, part: Part<Hits> | undefined): Html {
  if (part === undefined) {
    return frame(
      'How to search',
      empty(
        'Enter the id of any record, an email address, a phone number, a domain, a URL, an external id, or the name of an organization. People are found by name where the settings of the search enable it.',
      ),
    );
  }
  if (part.state === 'absent') return frame('Results', empty('This service has no search.'));
  if (part.state === 'left_out') return frame('Results', empty(part.sentence));
  const { data, hint, hint_code: hintCode } = part.value;
  if (data.length === 0) {
    const how = hint ?? 'Ids and addresses are matched exactly, names by the beginnings of their words.';
    return frame('Results', empty(html`Nothing was found. ${hintCode === NOT_BY_NAME ? explainNames(visit) : how}`));
  }
  return frame(
    'Results',
    html`<ul class="attention">
        ${data.map((hit) => {
          const address = findAddress(visit, hit);
          return html`<li>
            ${address === undefined ? presentTitle(hit) : html`<a href="${address}">${presentTitle(hit)}</a>`}
            <span class="badge plain">${presentKind(hit)}</span> <code class="id">${hit.id}</code>
          </li>`;
        })}
      </ul>
      ${hint !== null && html`<p class="pad note">${hintCode === NOT_BY_NAME ? explainNames(visit) : hint}</p>`}`,
  );
}

/** The code of the hint that users are not found by name. */
const NOT_BY_NAME = 'users_not_searched';
const BY_WHAT = 'People are not searched by name in this environment. Search by email address or id';

/** The sentence of that hint, with a link to the setting for an operator who may see it. */
const explainNames = (visit: Visit): Html => {
  const place = addressIn(visit, 'other-settings');
  if (mayCall('search.update_settings', visit.environment))
    return html`${BY_WHAT}, or <a href="${place}">enable it in the settings of the search</a>.`;
  const setting = mayCall('search.get_settings', visit.environment) && html` (<a href="${place}">the setting</a>)`;
  return html`${BY_WHAT}, or ask someone with the permission <code>config.change</code> to enable it${setting}.`;
};

/** The hits of the search page as JSON, for the command palette. */
export const searchDataPage = consolePage({
  path: 'e/{environment}/search.json',
  title: 'Search results',
  permission: 'people.read',
  calls,
  view: () => html``,
  data: (parts, visit) => {
    const { hits } = parts as Partial<typeof parts>;
    const rows = hits?.state === 'shown' ? hits.value.data : [];
    const isNotByName = hits?.state === 'shown' && hits.value.hint_code === NOT_BY_NAME;
    return {
      hint: isNotByName ? `${BY_WHAT}.` : undefined,
      hits: rows.flatMap((hit) => {
        const address = findAddress(visit, hit);
        return address === undefined ? [] : [{ title: presentTitle(hit), kind: presentKind(hit), address }];
      }),
    };
  },
});
