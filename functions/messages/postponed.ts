/** Work on a message that cannot be done yet: the queue retries it. The reason is a code, because the error text of SES can contain the address. */
export class MessagePostponed extends Error {
  override name = 'MessagePostponed';
}
