"""The identity provider of pysaml2: answers the requests of a JSON file with responses, and gives its metadata."""

import json
import os
import sys
import tempfile
from urllib.parse import parse_qs, urlsplit

import saml2.entity
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.sigver import CryptoBackendXmlSec1, pre_encryption_part
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

source, target = sys.argv[1:]
with open(source, encoding="utf8") as file:
    given = json.load(file)

folder = tempfile.mkdtemp()


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf8") as file:
        file.write(text)
    return path


key_file = write("idp.key", given["privateKey"])
cert_file = write("idp.pem", given["certificate"])


def server(metadata):
    config = {
        "entityid": "https://idp.example.com/metadata",
        "xmlsec_binary": given["xmlsec1"],
        "key_file": key_file,
        "cert_file": cert_file,
        "encryption_keypairs": [{"key_file": key_file, "cert_file": cert_file}],
        "metadata": {"local": [write("sp.xml", metadata)]},
        "service": {
            "idp": {
                "endpoints": {"single_sign_on_service": [("https://idp.example.com/sso", BINDING_HTTP_REDIRECT)]},
                "want_authn_requests_signed": True,
                "policy": {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None}},
                "sign_response": False,
                "sign_assertion": True,
            }
        },
    }
    return Server(config=IdPConfig().load(config))


# pysaml2 encrypts with triple DES and has no setting for it: the template and the key of the session are replaced.
encrypt_by_default = CryptoBackendXmlSec1.encrypt_assertion


def use_encryption(method):
    def template(**arguments):
        return pre_encryption_part(msg_enc=f"http://www.w3.org/2001/04/xmlenc#{method}", **arguments)

    def encrypt(self, statement, enc_key, template, key_type=None, node_xpath=None, node_id=None):
        session_key = {"aes128-cbc": "aes-128", "aes256-cbc": "aes-256"}[method]
        return encrypt_by_default(self, statement, enc_key, template, session_key, node_xpath, node_id)

    saml2.entity.pre_encryption_part = template if method else pre_encryption_part
    CryptoBackendXmlSec1.encrypt_assertion = encrypt if method else encrypt_by_default


def answer(sign_in):
    use_encryption(sign_in.get("method"))
    idp = server(sign_in["metadata"])
    query = {name: values[0] for name, values in parse_qs(urlsplit(sign_in["address"]).query).items()}
    request = idp.parse_authn_request(
        query["SAMLRequest"],
        BINDING_HTTP_REDIRECT,
        relay_state=query["RelayState"],
        sigalg=query["SigAlg"],
        signature=query["Signature"],
    )
    arguments = idp.response_args(request.message, [BINDING_HTTP_POST])
    response = idp.create_authn_response(
        {"mail": ["ada@example.com"], "groups": ["engineers", "owners"]},
        userid="ada",
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text="ada"),
        authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"},
        sign_assertion=sign_in["sign"] in ("assertion", "both"),
        sign_response=sign_in["sign"] in ("response", "both"),
        encrypt_assertion=sign_in["isEncrypted"],
        encrypt_assertion_self_contained=True,
        sign_alg=SIG_RSA_SHA256,
        digest_alg=DIGEST_SHA256,
        **arguments,
    )
    return str(response)


result = {
    "metadata": str(entity_descriptor(server(given["signIns"][0]["metadata"]).config)),
    "responses": [answer(sign_in) for sign_in in given["signIns"]],
}
with open(target, "w", encoding="utf8") as file:
    json.dump(result, file)
