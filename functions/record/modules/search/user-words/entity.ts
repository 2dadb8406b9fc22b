import { collection } from '../../../../kernel/storage/collection.ts';
import { entity } from '../../../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../../../kernel/storage/record.ts';

/** The words of a user that are stored, so that they can be removed when the user has changed. Its id is the user's. */
const UserWordsEntity = entity({
  model: model('user-words'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    words: { type: 'list', items: { type: 'string' }, required: true },
    text: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('user-words'), owned: ownedIndex },
});

export const userWords = collection(UserWordsEntity, 'internal');
