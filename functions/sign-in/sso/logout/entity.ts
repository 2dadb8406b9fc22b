import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/** A prepared logout, which can be used once. Its id is the hash of its token, so it is read by one GetItem. */
const LogoutTokenEntity = entity({
  model: model('sso-logout'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    profileId: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('sso-logout') },
});

export const logoutTokens = collection(LogoutTokenEntity, 'internal');
