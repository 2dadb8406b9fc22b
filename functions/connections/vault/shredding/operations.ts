import { createHash, createPublicKey } from 'node:crypto';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { notFound, orFail } from '../../../kernel/errors.ts';
import { evidenceSigner } from '../../../kernel/keys/signer.ts';
import { listOperation } from '../../../kernel/list-operation.ts';
import { operation } from '../../../kernel/operation.ts';
import { shreddings } from './entity.ts';
import { ListReceipts, presentReceipt, Receipt, ReceiptList, SigningKey } from './schema.ts';

const receiptNotFound = notFound('destroyed organization key');

export const listReceipts = listOperation({
  id: 'vault.key_destructions.list',
  path: '/x/vault/key_destructions',
  operator: 'config.read',
  summary: 'List the destroyed keys of deleted organizations',
  query: ListReceipts,
  response: ReceiptList,
  fetch: (environmentId, _query, window) => shreddings.list('byOrganization', { environmentId }).toPage(window),
  present: presentReceipt,
});

export const getReceipt = operation({
  id: 'vault.key_destructions.get',
  method: 'GET',
  path: '/x/vault/key_destructions/{organization_id}',
  summary: "Get the receipt for the destruction of an organization's key",
  description:
    'The receipt is signed once no cache can contain the key, two to three minutes after the organization was deleted. Save ' +
    'the response and verify it offline: npm run verify-receipt -- FILE.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Receipt },
  errors: [receiptNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(shreddings.get(environmentId, params.organization_id), () => fail(receiptNotFound));
    return { status: 200, body: presentReceipt(record) };
  },
});

export const getSigningKey = operation({
  id: 'vault.signing_key.get',
  method: 'GET',
  path: '/x/vault/signing_key',
  summary: 'Get the public key that verifies receipts',
  description:
    'Store its fingerprint separately from the receipts: with it you can prove that a receipt is from this service.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: SigningKey },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle() {
    const publicKey = await evidenceSigner().publicKey();
    const der = createPublicKey(publicKey).export({ format: 'der', type: 'spki' });
    const fingerprint = createHash('sha256').update(der).digest('hex');
    const algorithm = 'ECDSA_SHA_256' as const;
    return { status: 200, body: { algorithm, public_key: publicKey, fingerprint } };
  },
});

export const shreddingOperations = [listReceipts, getReceipt, getSigningKey] as const;
