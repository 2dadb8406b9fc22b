/**
 * The decisions of the Todo scenario, by which the OpenID AuthZEN working group compares implementations: five users, the roles
 * that they have, and each combination of an action and a resource with the expected decision.
 */
export const PEOPLE = {
  'rick@the-citadel.com': ['admin', 'evil_genius'],
  'morty@the-citadel.com': ['editor'],
  'summer@the-smiths.com': ['editor'],
  'beth@the-smiths.com': ['viewer'],
  'jerry@the-smiths.com': ['viewer'],
} as const;

type Person = keyof typeof PEOPLE;

const LISTED = ['can_read_todos', 'can_read_user'];
const EDITED = [...LISTED, 'can_create_todo'];

/** The permissions of each role. `owner` is a role on a single todo; the others are roles of the organization. */
export const ROLES = {
  viewer: LISTED,
  editor: EDITED,
  admin: [...EDITED, 'can_delete_todo'],
  evil_genius: [...EDITED, 'can_update_todo'],
  owner: ['can_update_todo', 'can_delete_todo'],
} as const;

/** Todos by their ids, with their owners. Only editors have the role `owner`. */
const TODO = '7240d0db-8ff0-41ec-98b2-34a096273b9';
export const TODOS: Readonly<Record<string, Person | undefined>> = {
  'todo-1': undefined,
  [`${TODO}1`]: 'morty@the-citadel.com',
  [`${TODO}2`]: 'rick@the-citadel.com',
  [`${TODO}3`]: 'summer@the-smiths.com',
  [`${TODO}4`]: 'beth@the-smiths.com',
  [`${TODO}5`]: 'jerry@the-smiths.com',
};

/** One evaluation of the scenario. */
export interface Expected {
  subject: string;
  action: string;
  resource: { type: string; id: string };
  decision: boolean;
}

/** The user's own todo in the scenario, or one that the user does not own. */
const OWN: Readonly<Record<Person, string>> = {
  'rick@the-citadel.com': `${TODO}2`,
  'morty@the-citadel.com': `${TODO}1`,
  'summer@the-smiths.com': `${TODO}3`,
  'beth@the-smiths.com': `${TODO}4`,
  'jerry@the-smiths.com': `${TODO}5`,
};

const listDecisions = (subject: Person): Expected[] => {
  const [isRick, isEditor] = [
    subject === 'rick@the-citadel.com',
    (PEOPLE[subject] as readonly string[])[0] !== 'viewer',
  ];
  const other = isRick ? OWN['morty@the-citadel.com'] : OWN['rick@the-citadel.com'];
  const user = (id: string): Expected => ({
    subject,
    action: 'can_read_user',
    resource: { type: 'user', id },
    decision: true,
  });
  const todo = (action: string, id: string, decision: boolean): Expected => ({
    subject,
    action,
    resource: { type: 'todo', id },
    decision,
  });
  return [
    user('beth@the-smiths.com'),
    user(subject),
    todo('can_read_todos', 'todo-1', true),
    todo('can_create_todo', 'todo-1', isEditor),
    todo('can_update_todo', other, isRick),
    todo('can_update_todo', OWN[subject], isEditor),
    todo('can_delete_todo', other, isRick),
    todo('can_delete_todo', OWN[subject], isEditor),
  ];
};

/** All 40 evaluations with their decisions. */
export const EXPECTED: readonly Expected[] = (Object.keys(PEOPLE) as Person[]).flatMap(listDecisions);
