import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Heading, Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { avatar, code } from '../view/values.ts';

interface Domain {
  id: string;
  domain: string;
  state?: string;
}

/** An organization in responses of the API. */
export interface Organization {
  id: string;
  name: string;
  domains: Domain[];
  external_id: string | null;
  stripe_customer_id?: string | null;
  allow_profiles_outside_organization?: boolean;
  metadata?: Record<string, string>;
  created_at: string;
  updated_at: string;
}

/** The heading of the pages of one organization. */
export const organizationHeading = (organization: Part<Organization>): Heading | undefined =>
  organization.state === 'shown'
    ? {
        title: organization.value.name,
        mark: avatar(organization.value.name, true),
        lead: html`${code(organization.value.id)}`,
      }
    : undefined;

const TABS = [
  [[], 'Organization'],
  [['members'], 'Members'],
  [['roles'], 'Roles'],
  [['records'], 'Keys, groups, flags'],
  [['pipes'], 'Providers'],
  [['audit-log'], 'Audit log'],
] as const;

/** The links between the pages of one organization. */
export function organizationTabs(visit: Visit): Html {
  const { id = '' } = visit.params;
  const current = visit.path.split('/').slice(4).join('/');
  return html`<ul class="tabs">
    ${TABS.map(
      ([segments, title]) =>
        html`<li>
          <a
            href="${addressIn(visit, 'organizations', id, ...segments)}"
            ${current === segments.join('/') && html`aria-current="page"`}
            >${title}</a
          >
        </li>`,
    )}
  </ul>`;
}
