/** The package has no types of its own. Both functions call back before they return, decrypt always, encrypt later. */
declare module 'xml-encryption' {
  interface DecryptOptions {
    key: string;
    /** False admits AES-CBC, of which the caller has already decided. */
    disallowDecryptionWithInsecureAlgorithm: boolean;
    warnInsecureAlgorithm: boolean;
  }
  interface EncryptOptions {
    rsa_pub: string;
    pem: string;
    encryptionAlgorithm: string;
    keyEncryptionAlgorithm: string;
    keyEncryptionDigest?: string;
    disallowEncryptionWithInsecureAlgorithm?: boolean;
    warnInsecureAlgorithm?: boolean;
  }
  type Callback = (error: Error | null, text?: string) => void;
  const xmlEncryption: {
    decrypt: (xml: string | Element, options: DecryptOptions, callback: Callback) => void;
    encrypt: (text: string, options: EncryptOptions, callback: Callback) => void;
  };
  export default xmlEncryption;
}
