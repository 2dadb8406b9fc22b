import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { facts, frame, type List, members, panel, tableOr } from '../view/parts.ts';
import { code, dump, record, state, when } from '../view/values.ts';

interface CustomerKey {
  id: string;
  context_entry: { name: string; value: string };
  key_arn: string;
  created_at: string;
}

interface Receipt {
  organization_id: string;
  key_id: string;
  state: string;
  destroyed_at: string;
  statement?: string | null;
  signature?: string | null;
}

const put: Act = {
  name: 'map-key',
  label: 'Map a key',
  operation: 'vault.customer_keys.put',
  call: ({ name = '', value = '', arn = '' }) =>
    call('vault.customer_keys.put', {}, {}, { context_entry: { name, value }, key_arn: arn }),
  done: 'The key is mapped. New values of this context are encrypted with it.',
};

const remove: Act = {
  name: 'remove-key',
  label: 'Delete the mapping',
  operation: 'vault.customer_keys.delete',
  call: ({ id }) => call('vault.customer_keys.delete', { id }),
  done: 'The mapping is deleted.',
};

const SECOND = 'Another operator has to approve it.';

const renderPut = (visit: Visit) => {
  const form = renderAct(visit, put, {
    fields: {},
    effect: `Encrypts the values of one context with a key of the customer’s AWS account. ${SECOND}`,
    more: html`<label class="field"
        >Name in the context <input name="name" required maxlength="128" value="organization_id" autocomplete="off"
      /></label>
      <label class="field"
        >Value <input name="value" required maxlength="256" placeholder="org_…" autocomplete="off"
      /></label>
      <label class="field"
        >ARN of the key
        <input name="arn" required maxlength="300" placeholder="arn:aws:kms:…" autocomplete="off" spellcheck="false"
      /></label>`,
  });
  return form && frame('New mapping', html`<div class="pad">${form}</div>`);
};

/** Keys of customers, and keys that were destroyed. */
export const vaultKeysPage = consolePage({
  path: 'e/{environment}/vault-keys',
  title: 'Encryption keys',
  permission: 'config.read',
  menu: { group: 'Secrets' },
  main: 'customer',
  acts: [put, remove],
  calls: () => ({
    customer: call<List<CustomerKey>>('vault.customer_keys.list'),
    destroyed: call<List<Receipt>>('vault.key_destructions.list'),
    settings: call<Record<string, unknown>>('vault.settings.get'),
  }),
  view: ({ customer, destroyed, settings }, visit) =>
    html`${panel('Keys of customers', customer, ({ data }) =>
      tableOr(
        'Keys of customers',
        [
          { title: 'For', cell: (each) => `${each.context_entry.name}: ${each.context_entry.value}` },
          { title: 'Key', cell: (each) => html`<code>${each.key_arn}</code>` },
          { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
          {
            title: 'Change',
            cell: (each) =>
              renderAct(visit, remove, {
                fields: { id: each.id },
                effect: `New values are encrypted with keys of this service; values of before stay readable while the owner of the key allows it. ${SECOND}`,
                look: 'danger',
                of: each.context_entry.value,
                typed: each.context_entry.value,
              }),
          },
        ],
        data,
        'No customer brings a key.',
      ),
    )}
    ${renderPut(visit)}
    ${panel('Destroyed keys', destroyed, ({ data }) =>
      tableOr(
        'Destroyed keys',
        [
          {
            title: 'Organization',
            cell: (each) =>
              html`<a class="mono" href="${addressIn(visit, 'vault-keys', each.organization_id)}"
                >${each.organization_id}</a
              >`,
          },
          { title: 'Receipt', cell: (each) => state(each.state, each.state === 'signed' ? 'good' : 'wait') },
          { title: 'Destroyed', look: 'when', cell: (each) => when(each.destroyed_at) },
        ],
        data,
        'No key was destroyed.',
      ),
    )}
    ${panel('Settings', settings, (value) => html`<div class="pad">${members(value)}</div>`)}`,
});

/** The receipt of the destruction of an organization's key. */
export const receiptPage = consolePage({
  path: 'e/{environment}/vault-keys/{id}',
  title: 'Receipt',
  permission: 'config.read',
  parent: 'e/{environment}/vault-keys',
  main: 'receipt',
  calls: ({ params: { id } }) => ({
    receipt: call<Receipt>('vault.key_destructions.get', { organization_id: id }),
    signer: call<{ sha256?: string; fingerprint?: string }>('vault.signing_key.get'),
  }),
  heading: ({ receipt }) =>
    receipt.state === 'shown'
      ? { title: 'Receipt of a destroyed key', lead: html`${state(receipt.value.state)}${code(receipt.value.key_id)}` }
      : undefined,
  view: ({ receipt, signer }, visit) =>
    html`${panel('Receipt', receipt, (value) =>
      facts([
        ['Organization', record(visit, value.organization_id)],
        ['Key', html`<code>${value.key_id}</code>`],
        ['Destroyed', when(value.destroyed_at)],
        ['Statement', value.statement],
        ['Signature', value.signature],
      ]),
    )}
    ${panel('Key that signed it', signer, (value) => html`<div class="pad">${members(value)}</div>`)}
    ${panel(
      'The whole receipt',
      receipt,
      (value) =>
        html`<p class="hint pad">
            Save it as a file: “npm run verify-receipt -- FILE --fingerprint SHA-256” checks it without a connection.
          </p>
          ${dump(value, 'Receipt')}`,
    )}`,
});
