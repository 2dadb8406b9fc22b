import * as z from 'zod';

import { withoutTurns } from '../pages/words/direction.ts';

/** The characters by which mail programs recognize an address: dots, also those of IDNA, and those after a scheme or a user. */
const LINKING = /[.:@\u2024\u3002\uff0e\uff1a\uff20\uff61](?=[^\s\u2060])|\/(?=\/)/g;

/** WORD JOINER: it has no width, and no line breaks there. */
const JOINER = '\u2060';

/**
 * A name that mail programs do not turn into a link, although it looks the same. A stranger may have chosen it, such as
 * `Pay at evil.example`, and readers trust links in mails of this service.
 */
export const withoutLinks = (name: string): string => withoutTurns(name).replace(LINKING, `${JOINER}$&${JOINER}`);

/** A value of a message that some person chose: the name of a person, an organization or an application, or a reason. */
export const Name = z.string().transform(withoutLinks);

/** An email address. One with unusual characters, which could contain the address of a host, is shown like a name. */
export const Address = z.string().transform((text) => (/^[\w.+-]+@[\w.-]+$/.test(text) ? text : withoutLinks(text)));

/** An id that the service made. */
export const Identifier = z.string().regex(/^[\w-]+$/);
