import { formatDateTime } from '../../../kernel/locale.ts';
import { field } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { copyable, portalForm } from '../page/render.ts';
import { FormRejection, type Outcome, portalPage, type PortalPage, type Sent } from '../page/page-operations.ts';
import { apiPath, ApiRejection } from '../session/api.ts';
import { missingPage, type Visit } from '../session/visit.ts';

interface CustomerKey {
  id: string;
  key_arn: string;
  updated_at: string;
}

/** The permissions that the key's policy must grant to the service. */
const ACTIONS = ['kms:GenerateDataKey', 'kms:Decrypt', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** The key of the organization; undefined if it has none. */
async function findKey({ api, session }: Visit): Promise<CustomerKey | undefined> {
  const path = `/x/vault/customer_keys?organization_id=${encodeURIComponent(session.organizationId)}`;
  return (await api<{ data: CustomerKey[] }>('GET', path)).data[0];
}

async function show(visit: Visit, sent: Sent = {}) {
  const { translate, query, surroundings, locale } = visit;
  const key = await findKey(visit);
  return {
    title: translate('intent.bring_your_own_key'),
    lead: translate('own_key.lead'),
    notice: query.get('done') === 'saved' ? translate('form.saved') : undefined,
    body: html`${
        key &&
        html`<ul class="records">
          <li>
            <code>${key.key_arn}</code>
            <p class="hint">${translate('own_key.since', { time: formatDateTime(locale, key.updated_at) })}</p>
            ${portalForm(
              visit,
              'own_key',
              html`<input type="hidden" name="id" value="${key.id}" /><button
                  class="button quiet"
                  type="submit"
                  name="do"
                  value="remove"
                >
                  ${translate('own_key.remove')}
                </button>`,
            )}
          </li>
        </ul>`
      }
      <p>${translate('own_key.policy')}</p>
      ${copyable(visit, JSON.stringify(ACTIONS))}
      ${portalForm(
        visit,
        'own_key',
        html`<input type="hidden" name="do" value="save" /> ${field(
            {
              name: 'key_arn',
              label: translate('own_key.arn'),
              autocomplete: 'off',
              value: sent.key_arn ?? '',
              hint: 'arn:aws:kms:eu-west-1:111122223333:key/…',
              maxLength: 2_048,
              more: { spellcheck: 'false' },
            },
            surroundings.language,
          )}
          ${submit(translate('own_key.save'))}`,
      )}`,
  };
}

async function act(visit: Visit, sent: Sent): Promise<Outcome> {
  const { api, session, path, translate } = visit;
  if (sent.do === 'remove') await api('DELETE', apiPath`/x/vault/customer_keys/${sent.id ?? ''}`);
  else if (sent.do === 'save') {
    const context_entry = { name: 'organization_id', value: session.organizationId };
    await api('PUT', '/x/vault/customer_keys', { context_entry, key_arn: sent.key_arn ?? '' }).catch(
      (error: unknown) => {
        // The errors of the vault have no code. If the ARN is well-formed, the error is about the key itself.
        const isKey =
          error instanceof ApiRejection && error.status === 400 && /^arn:[^:]+:kms:.+:key\//.test(sent.key_arn ?? '');
        throw isKey ? new FormRejection(translate('own_key.unusable')) : error;
      },
    );
  } else throw missingPage(visit);
  return { to: path('own_key?done=saved') };
}

export const ownKeyPage: PortalPage = {
  name: 'own_key',
  path: 'own_key',
  summary: 'The KMS key of the customer that encrypts the organization’s vault',
  intents: ['bring_your_own_key'],
  show,
  act,
};

export const ownKeyPageOperations = portalPage(ownKeyPage);
