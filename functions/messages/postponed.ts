/** Work on a message that cannot be done yet: the queue brings it again. Says why in a code: what SES answers can name the address. */
export class MessagePostponed extends Error {
  override name = 'MessagePostponed';
}
