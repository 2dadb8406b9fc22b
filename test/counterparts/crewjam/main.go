// Command crewjam plays the identity provider of github.com/crewjam/saml: it answers the requests of a JSON file.
package main

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"time"

	"github.com/crewjam/saml"
	"github.com/crewjam/saml/logger"
)

type input struct {
	PrivateKey  string   `json:"privateKey"`
	Certificate string   `json:"certificate"`
	Providers   []string `json:"providers"`
	Requests    []string `json:"requests"`
}

type output struct {
	Metadata string   `json:"metadata"`
	Pages    []string `json:"pages"`
}

// provider answers with the metadata of one service provider, and with one session.
type provider struct{ metadata string }

func (p *provider) GetServiceProvider(_ *http.Request, id string) (*saml.EntityDescriptor, error) {
	var descriptor saml.EntityDescriptor
	if err := xml.Unmarshal([]byte(p.metadata), &descriptor); err != nil {
		return nil, err
	}
	if descriptor.EntityID != id {
		return nil, os.ErrNotExist
	}
	return &descriptor, nil
}

func (p *provider) GetSession(_ http.ResponseWriter, _ *http.Request, _ *saml.IdpAuthnRequest) *saml.Session {
	now := time.Now()
	return &saml.Session{
		ID: "session", CreateTime: now, ExpireTime: now.Add(time.Hour), Index: "index",
		NameID: "ada@example.com", UserName: "ada", UserEmail: "ada@example.com",
		UserGivenName: "Ada", UserSurname: "Lovelace", UserCommonName: "Ada Lovelace", Groups: []string{"engineers", "owners"},
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func der(text string) []byte {
	block, _ := pem.Decode([]byte(text))
	return block.Bytes
}

func main() {
	var given input
	if err := json.Unmarshal(must(os.ReadFile(os.Args[1])), &given); err != nil {
		log.Fatal(err)
	}
	key, _ := must(x509.ParsePKCS8PrivateKey(der(given.PrivateKey))).(*rsa.PrivateKey)
	idp := &saml.IdentityProvider{
		Key: key, Certificate: must(x509.ParseCertificate(der(given.Certificate))), Logger: logger.DefaultLogger,
		MetadataURL: *must(url.Parse("https://idp.example.com/metadata")), SSOURL: *must(url.Parse("https://idp.example.com/sso")),
		SignatureMethod: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
	}
	result := output{Metadata: string(must(xml.Marshal(idp.Metadata())))}
	for at, address := range given.Requests {
		own := &provider{metadata: given.Providers[at]}
		idp.ServiceProviderProvider, idp.SessionProvider = own, own
		recorder := httptest.NewRecorder()
		idp.ServeSSO(recorder, httptest.NewRequest(http.MethodGet, address, nil))
		result.Pages = append(result.Pages, recorder.Body.String())
	}
	if err := os.WriteFile(os.Args[2], must(json.Marshal(result)), 0o600); err != nil {
		log.Fatal(err)
	}
}
