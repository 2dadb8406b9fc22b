import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import { findScimGuide } from '../guide/scim/index.ts';
import { groupRolesForm, readGroupRoles } from '../page/group-roles.ts';
import { type Outcome, portalPage, type PortalPage, type Sent } from '../page/page-operations.ts';
import { apiPath } from '../session/api.ts';
import { missingPage, type Visit } from '../session/visit.ts';
import { attributesForm, readAttributes } from './attributes.ts';
import { type DirectoryView, renderConnection } from './connection.ts';

const STEPS = ['connect', 'attributes', 'roles'] as const;
type Step = (typeof STEPS)[number];

function readStep(visit: Visit): Step {
  const found = STEPS.find((step) => step === visit.params.step);
  if (found === undefined) throw missingPage(visit);
  return found;
}

const findDirectory = ({ api, params }: Visit): Promise<DirectoryView> =>
  api<DirectoryView>('GET', apiPath`/x/directories/${params.directory_id ?? ''}`);

/** The names of the groups that the provider has sent so far. */
async function findGroups({ api }: Visit, id: string): Promise<string[]> {
  const path = `/directory_groups?limit=100&directory=${encodeURIComponent(id)}`;
  return (await api<{ data: { name: string }[] }>('GET', path)).data.map(({ name }) => name);
}

const LEADS = { connect: 'dsync.connect_lead', attributes: 'dsync.attributes_lead', roles: 'roles.lead' } as const;

/** The page of a directory at one of its steps. @param token A new token, which only this response shows */
async function render(visit: Visit, sent: Sent, token?: string): Promise<Content> {
  const { translate, path, query } = visit;
  const step = readStep(visit);
  const directory = await findDirectory(visit);
  const { id } = directory;
  const provider = findScimGuide(directory.type).name;
  const page = `directories/${id}/${step}`;
  const parts: Record<Step, () => Promise<Html>> = {
    connect: () => renderConnection(visit, directory, token),
    attributes: async () => attributesForm(visit, page, directory, sent),
    roles: async () => groupRolesForm(visit, page, directory.group_roles, await findGroups(visit, id)),
  };
  const isWaiting = step === 'connect' && directory.state === 'validating' && directory.tokens.length > 0;
  return {
    title: `${provider}: ${translate(`step.${step}`)}`,
    lead: translate(LEADS[step], { provider }),
    notice: query.get('done') === 'saved' ? translate('form.saved') : undefined,
    // Without an automatic reload, since that would hide the new token, which is shown only once.
    reloadSeconds: isWaiting && token === undefined ? 5 : undefined,
    body: html`<ol class="tabs">
        ${STEPS.map(
          (name) =>
            html`<li>
              ${
                name === step
                  ? html`<b aria-current="step">${translate(`step.${name}`)}</b>`
                  : html`<a href="${path(`directories/${id}/${name}`)}">${translate(`step.${name}`)}</a>`
              }
            </li>`,
        )}
      </ol>
      ${await parts[step]()}
      <p class="under"><a href="${path('directories')}">${translate('dsync.all')}</a></p>`,
  };
}

async function act(visit: Visit, sent: Sent): Promise<Outcome> {
  const { api, path } = visit;
  const step = readStep(visit);
  const directory = await findDirectory(visit);
  const { id } = directory;
  const saved = { to: path(`directories/${id}/${step}?done=saved`) };
  if (step === 'roles') {
    await api('PATCH', apiPath`/x/directories/${id}`, { group_roles: readGroupRoles(sent) });
    return saved;
  }
  if (step === 'attributes') {
    await api('PATCH', apiPath`/x/directories/${id}`, { custom_attributes: readAttributes(directory, sent) });
    return saved;
  }
  if (sent.do === 'revoke') {
    await api('DELETE', apiPath`/x/directories/${id}/tokens/${sent.token ?? ''}`);
    return saved;
  }
  if (sent.do !== 'token') throw missingPage(visit);
  const { value } = await api<{ value: string }>('POST', apiPath`/x/directories/${id}/tokens`, {});
  return { content: await render(visit, sent, value) };
}

export const directoryPage: PortalPage = {
  name: 'directory',
  path: 'directories/{directory_id}/{step}',
  summary: 'A step of the set-up of a directory: connect, attributes or roles',
  intents: ['dsync'],
  show: (visit, sent = {}) => render(visit, sent),
  act,
};

export const directoryPageOperations = portalPage(directoryPage);
