import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { textField } from '../view/fields.ts';
import { tableOr } from '../view/parts.ts';
import { state } from '../view/values.ts';
import type { Organization } from './heading.ts';

const addDomain: Act = {
  name: 'add-domain',
  label: 'Add a domain',
  operation: 'organization_domains.create',
  call: ({ domain = '' }, { params: { id } }) =>
    call('organization_domains.create', {}, {}, { organization_id: id, domain: domain.trim() }),
  done: 'The domain is added. It is verified when its DNS record is found.',
};

const verifyDomain: Act = {
  name: 'verify-domain',
  label: 'Verify',
  operation: 'organization_domains.verify',
  call: ({ id }) => call('organization_domains.verify', { id }),
  done: 'The DNS records of the domain are being read.',
};

const removeDomain: Act = {
  name: 'remove-domain',
  label: 'Remove',
  operation: 'organization_domains.delete',
  call: ({ id }) => call('organization_domains.delete', { id }),
  done: 'The domain is removed.',
};

/** The acts on the domains of an organization. */
export const domainActs: readonly Act[] = [addDomain, verifyDomain, removeDomain];

const isVerified = (text: string | undefined): boolean => text === 'verified' || text === 'legacy_verified';

/** The domains of an organization with their forms. */
export const renderDomains = (visit: Visit, { domains }: Organization): Html =>
  html`${tableOr(
      'Domains',
      [
        { title: 'Domain', cell: (each: Organization['domains'][number]) => each.domain },
        { title: 'State', cell: (each) => state(each.state) },
        {
          title: 'Change',
          cell: ({ id, domain, state: own }) =>
            html`<div class="actions">
              ${
                !isVerified(own) &&
                renderAct(visit, verifyDomain, {
                  fields: { id },
                  effect: `Looks for the DNS record of ${domain} now.`,
                  of: domain,
                })
              }
              ${renderAct(visit, removeDomain, {
                fields: { id },
                effect: `Users with an address of ${domain} no longer belong to the organization by it.`,
                of: domain,
                look: 'danger',
                typed: domain,
              })}
            </div>`,
        },
      ],
      domains,
      'No domains.',
    )}
    <div class="pad">
      ${renderAct(visit, addDomain, {
        fields: {},
        effect: 'Adds a domain, which the customer verifies by a DNS record.',
        more: (kept) =>
          textField(kept, { name: 'domain', label: 'Domain', isRequired: true, most: 253, hint: 'acme.example' }),
      })}
    </div>`;
