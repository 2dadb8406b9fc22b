/** A user who may own keys, and the organizations within which. */
export interface KeyOwner {
  id: string;
  isMemberOf: (organizationId: string) => Promise<boolean>;
}

/**
 * The user of an id, or undefined for one that is not there. This service has no users area yet, so no id is one of
 * a user: its public module takes this place.
 */
export const findUser = (_environmentId: string, _userId: string): Promise<KeyOwner | undefined> =>
  Promise.resolve(undefined);
