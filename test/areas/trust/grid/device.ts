import { browser } from '../../../support/browser.ts';
import { enter, type Outcome, readPage } from './member.ts';

/** The response to a request of a device. */
export interface Device {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
}

/** Opens the page of a device and signs in. @returns the approval on the page that follows */
export async function openDevice(
  { verification_uri_complete: address, user_code }: Device,
  organizationId: string,
): Promise<{ approve: () => Outcome }> {
  const person = browser();
  const page = await enter(person, await person.submit(await person.open(address), { user_code }), organizationId);
  return {
    async approve() {
      const done = await person.submit(page, { do: 'approve' });
      return done.text.includes('Your device is connected') ? 'allowed' : readPage(done);
    },
  };
}
