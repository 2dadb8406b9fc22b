/** The claims of a user do not fit into an access token: the response has the code `token_too_big`. */
export class TokenTooBig extends Error {
  override name = 'TokenTooBig';

  constructor() {
    super('The access token would be larger than clients can be expected to carry');
  }
}
