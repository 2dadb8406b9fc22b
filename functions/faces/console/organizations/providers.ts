import { html } from '../../../kernel/pages/html.ts';
import { changeAct, renderChange } from '../page/change.ts';
import { call, consolePage, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { type List, members, panel, tableOr } from '../view/parts.ts';
import { tags, when, yesNo } from '../view/values.ts';
import { type Organization, organizationHeading, organizationTabs } from './heading.ts';

interface Configuration {
  slug: string;
  name: string;
  enabled: boolean;
  scopes: string[] | null;
  credentials?: { credentials_type: string; has_credentials: boolean; client_id: string | null };
  updated_at: string;
}

const ofProvider = ({ params: { id = '', slug = '' } }: Visit) => ({ organizationId: id, slug });

/** The settings of an organization for the providers of connected accounts. */
const organizationProvidersPage = consolePage({
  path: 'e/{environment}/organizations/{id}/pipes',
  title: 'Providers of the organization',
  permission: 'config.read',
  parent: 'e/{environment}/organizations',
  main: 'organization',
  calls: ({ params: { id } }) => ({
    organization: call<Organization>('organizations.get', { id }),
    providers: call<List<Configuration>>('data_integration_configurations.list', { organizationId: id }),
  }),
  heading: ({ organization }) => organizationHeading(organization),
  view: ({ providers }, visit) =>
    html`${organizationTabs(visit)}
    ${panel('Providers of connected accounts', providers, ({ data }) =>
      tableOr(
        'Providers',
        [
          {
            title: 'Provider',
            cell: (each) =>
              html`<a href="${addressIn(visit, 'organizations', visit.params.id ?? '', 'pipes', each.slug)}"
                >${each.name}</a
              >`,
          },
          { title: 'Enabled', cell: (each) => yesNo(each.enabled) },
          { title: 'Scopes', cell: (each) => tags(each.scopes) },
          { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
        ],
        data,
        'No integrations yet. The page Connected accounts makes the first one.',
      ),
    )}`,
});

/** An organization's own OAuth client is used if the credentials of the integration have the type `organization`. */
const takesClient = (record: unknown): boolean =>
  (record as Configuration).credentials?.credentials_type === 'organization';

const omitClient = (record: unknown): string[] => (takesClient(record) ? [] : ['client_id', 'client_secret']);

const change = changeAct({
  operation: 'data_integration_configurations.configure',
  params: ofProvider,
  omits: omitClient,
});

/** The part with the client id where the form has it. */
const flatten = (part: Part<Configuration>): Part<unknown> =>
  part.state === 'shown'
    ? { ...part, value: { ...part.value, client_id: part.value.credentials?.client_id ?? undefined } }
    : part;

/** The settings of an organization for one provider, such as its own OAuth client there. */
const organizationProviderPage = consolePage({
  path: 'e/{environment}/organizations/{id}/pipes/{slug}',
  title: 'Provider of the organization',
  permission: 'config.read',
  parent: 'e/{environment}/organizations/{id}/pipes',
  main: 'provider',
  acts: [change],
  calls: (visit) => ({ provider: call<Configuration>('data_integration_configurations.get', ofProvider(visit)) }),
  heading: ({ provider }) => (provider.state === 'shown' ? { title: provider.value.name } : undefined),
  view: ({ provider }, visit) =>
    html`${panel(
      'Settings of the organization',
      provider,
      (value) =>
        html`<div class="pad">${members(value)}</div>
          ${renderChange(visit, change, flatten(provider), 'Provider')}`,
    )}`,
});

/** The pages of an organization's settings for providers of connected accounts. */
export const organizationProviderPages = [organizationProvidersPage, organizationProviderPage];
