"""Canonical bytes by lxml, and signatures by xmlsec1's library, of the documents in a JSON file."""

import base64
import json
import sys

import xmlsec
from lxml import etree

source, target = sys.argv[1:]
with open(source, encoding="utf8") as file:
    given = json.load(file)

parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
key = xmlsec.Key.from_memory(given["privateKey"], xmlsec.constants.KeyDataFormatPem)
C14N = xmlsec.constants.TransformExclC14N


def parse(xml):
    root = etree.fromstring(xml.encode("utf8"), parser)
    xmlsec.tree.add_ids(root, ["ID"])
    return root


def canonical(xml):
    element = parse(xml).xpath("//*[@ID='_target']")[0]
    text = etree.tostring(element, method="c14n", exclusive=True, with_comments=False, with_tail=False)
    return base64.b64encode(text).decode()


def signed(xml, prefixes):
    root = parse(xml)
    element = root.xpath("//*[@ID='_target']")[0]
    signature = xmlsec.template.create(root, C14N, xmlsec.constants.TransformRsaSha256, ns="ds")
    reference = xmlsec.template.add_reference(signature, xmlsec.constants.TransformSha256, uri="#_target")
    xmlsec.template.add_transform(reference, xmlsec.constants.TransformEnveloped)
    transform = xmlsec.template.add_transform(reference, C14N)
    if prefixes:
        xmlsec.template.transform_add_c14n_inclusive_namespaces(transform, prefixes)
    element.insert(0, signature)
    context = xmlsec.SignatureContext()
    context.key = key
    context.sign(signature)
    return etree.tostring(root, encoding="unicode")


def verified(xml):
    root = parse(xml)
    signature = xmlsec.tree.find_node(root, xmlsec.constants.NodeSignature)
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(given["certificate"], xmlsec.constants.KeyDataFormatCertPem)
    try:
        context.verify(signature)
        return True
    except xmlsec.Error:
        return False


result = {
    "canonical": [canonical(xml) for xml in given["documents"]],
    "signed": [signed(xml, []) for xml in given["documents"]],
    "inclusive": [signed(xml, ["a", "b", "Z"]) for xml in given["documents"]],
    "verified": [verified(xml) for xml in given["ours"]],
}
with open(target, "w", encoding="utf8") as file:
    json.dump(result, file)
