import { field } from '../../../kernel/pages/fields.ts';
import { otherwise, submit } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { FormRejection, type Outcome, portalPage, type PortalPage, type Sent } from '../page/page-operations.ts';
import { copyableFacts, portalForm, stateMark } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import { missingPage, type Visit } from '../session/visit.ts';

/** The members of a domain in responses of the API. */
interface Domain {
  id: string;
  domain: string;
  state?: string;
  verification_prefix?: string;
  verification_token?: string;
}

/** The domains of the organization. */
export async function findDomains({ api, session }: Pick<Visit, 'api' | 'session'>): Promise<Domain[]> {
  const { domains } = await api<{ domains: Domain[] }>('GET', apiPath`/organizations/${session.organizationId}`);
  return domains;
}

/** Reports whether a domain is verified. */
export const isVerified = ({ state }: Pick<Domain, 'state'>): boolean =>
  state === 'verified' || state === 'legacy_verified';

function renderState({ translate }: Visit, domain: Domain): Html {
  if (isVerified(domain)) return stateMark(translate('domains.verified'), 'good');
  return domain.state === 'failed'
    ? stateMark(translate('domains.failed'), 'bad')
    : stateMark(translate('domains.pending'));
}

/** The DNS record to add for a domain that is not verified, with the buttons of the domain. */
function renderDomain(visit: Visit, domain: Domain): Html {
  const { translate } = visit;
  const { verification_prefix: prefix = '', verification_token: token } = domain;
  const isOpen = !isVerified(domain) && token !== undefined;
  return html`<li>
    <div class="row"><strong>${domain.domain}</strong>${renderState(visit, domain)}</div>
    ${
      isOpen &&
      html`<p class="hint">${translate('domains.record')}</p>
        ${copyableFacts(visit, [
          [translate('domains.record_type'), 'TXT'],
          [translate('domains.record_name'), `${prefix}.${domain.domain}`],
          [translate('domains.record_value'), token],
        ])}`
    }
    ${portalForm(
      visit,
      'domains',
      html`<input type="hidden" name="id" value="${domain.id}" />
        <div class="actions">
          ${isOpen && html`<button class="button" type="submit" name="do" value="check">${translate('domains.check')}</button>`}
          ${otherwise('remove', translate('domains.remove', { domain: domain.domain }))}
        </div>`,
    )}
  </li>`;
}

const NOTICES = { added: 'domains.added', verified: 'domains.now_verified', removed: 'domains.removed' } as const;

async function show(visit: Visit, sent: Sent = {}) {
  const { translate, query, surroundings } = visit;
  const domains = await findDomains(visit);
  const notice = NOTICES[(query.get('done') ?? '') as keyof typeof NOTICES] as (typeof NOTICES)['added'] | undefined;
  return {
    title: translate('intent.domain_verification'),
    lead: translate('domains.lead'),
    notice: notice && translate(notice),
    body: html`${
      domains.length > 0 &&
      html`<ul class="records">
        ${domains.map((domain) => renderDomain(visit, domain))}
      </ul>`
    }
    ${portalForm(
      visit,
      'domains',
      html`<input type="hidden" name="do" value="add" /> ${field(
          {
            name: 'domain',
            label: translate('domains.field'),
            autocomplete: 'off',
            hint: translate('domains.hint'),
            value: sent.domain,
            maxLength: 253,
            more: { inputmode: 'url', spellcheck: 'false', autocapitalize: 'none' },
          },
          surroundings.language,
        )}
        ${submit(translate('domains.add'))}`,
    )}`,
  };
}

async function act(visit: Visit, sent: Sent): Promise<Outcome> {
  const { api, session, translate, path } = visit;
  if (sent.do === 'add') {
    const body = { organization_id: session.organizationId, domain: sent.domain ?? '' };
    await api('POST', '/organization_domains', body);
    return { to: path('domains?done=added') };
  }
  const { id = '' } = sent;
  if (sent.do === 'remove') {
    await api('DELETE', apiPath`/organization_domains/${id}`);
    return { to: path('domains?done=removed') };
  }
  if (sent.do !== 'check') throw missingPage(visit);
  const domain = await api<Domain>('POST', apiPath`/organization_domains/${id}/verify`);
  if (!isVerified(domain)) throw new FormRejection(translate('domains.not_found', { domain: domain.domain }));
  return { to: path('domains?done=verified') };
}

export const domainsPage: PortalPage = {
  name: 'domains',
  path: 'domains',
  summary: 'The domains of the organization and their DNS records',
  intents: ['domain_verification', 'sso', 'dsync'],
  show,
  act,
};

export const domainOperations = portalPage(domainsPage);
