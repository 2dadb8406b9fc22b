import { readDomain } from '../../../../kernel/address.ts';
import { CROWDED, findPhrases, fold } from '../../../../kernel/search-words.ts';

/** The members of a user that are searched. */
export interface Named {
  email: string;
  name?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

/** The words of a user: phrases of the names and of the address, and the domain of the address as one word. */
export function findUserWords({ email, name, firstName, lastName }: Named): { words: string[]; text: string } {
  const local = email.slice(0, email.lastIndexOf('@'));
  const names = [name, firstName, lastName].filter((each) => each !== undefined).join(' ');
  const domain = readDomain(email);
  return {
    words: [...findPhrases(names, local), ...(domain === undefined ? [] : [`${CROWDED}${domain}`])],
    text: fold(`${names} ${email}`),
  };
}
