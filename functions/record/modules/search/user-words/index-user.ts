import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import { addWord, removeWord } from '../../../../kernel/storage/search.ts';
import { findUser } from '../../../../tenancy/modules/users/public.ts';
import { userWords } from './entity.ts';
import { findUserWords } from './rules.ts';

/** The kind of users in the rows of words. */
export const USER_WORDS = 'user';

/**
 * Makes the stored words of a user those of the user's present state, and removes them if the user does not exist or users are not
 * searched. It reads the state again after a conflict, so that two runs in any order leave the words of the last change.
 * @param isOn whether users of the environment are searched
 */
export const indexUser = (environmentId: string, id: string, isOn: boolean): Promise<void> =>
  applyWork(environmentId, systemActor, async (unit) => {
    const [user, stored] = await awaitAll([findUser(environmentId, id), userWords.get(environmentId, id)]);
    const owner = ownerKey('user', id);
    const record = { environmentId, kind: USER_WORDS, id, owner };
    const { words, text } = isOn && user !== undefined ? findUserWords(user) : { words: [], text: '' };
    const former = stored?.words ?? [];
    if (text === (stored?.text ?? '') && words.join(' ') === former.join(' ')) return;
    unit.stage(former.filter((word) => !words.includes(word)).map((word) => removeWord(record, word)));
    if (words.length === 0) return unit.stage(stored === undefined ? [] : [userWords.remove(stored)]);
    unit.stage(words.map((word) => addWord(record, word, text)));
    unit.stage(
      (stored === undefined
        ? userWords.create({ environmentId, id, owner, words, text })
        : userWords.revise(stored, { words, text })
      ).write,
    );
  });
