___TERMS_OF_SERVICE___

By creating or modifying this file you agree to Google Tag Manager's Community
Template Gallery Developer Terms of Service available at
https://developers.google.com/tag-manager/gallery-tos (or such other URL as
Google may provide), as modified from time to time.


___INFO___

{
  "type": "TAG",
  "id": "cvt_svc_tracker",
  "version": 1,
  "securityGroups": [],
  "displayName": "Affiliate tracking (svc)",
  "brand": { "id": "svc", "displayName": "svc" },
  "description": "Reports clicks on partners' links and signups to https://track.example.com.",
  "containerContexts": ["WEB"]
}


___TEMPLATE_PARAMETERS___

[
  {
    "type": "SELECT",
    "name": "action",
    "displayName": "What to do",
    "selectItems": [
      { "value": "track", "displayValue": "Track clicks (on all pages)" },
      { "value": "signup", "displayValue": "Report a signup" }
    ],
    "simpleValueType": true,
    "defaultValue": "track"
  },
  {
    "type": "TEXT",
    "name": "programId",
    "displayName": "Program id",
    "simpleValueType": true,
    "valueValidators": [{ "type": "POSITIVE_NUMBER" }],
    "enablingConditions": [{ "paramName": "action", "paramValue": "track", "type": "EQUALS" }]
  },
  {
    "type": "CHECKBOX",
    "name": "waitsForConsent",
    "checkboxText": "Wait for consent to ad_storage",
    "simpleValueType": true,
    "defaultValue": false,
    "enablingConditions": [{ "paramName": "action", "paramValue": "track", "type": "EQUALS" }]
  },
  {
    "type": "TEXT",
    "name": "customerKey",
    "displayName": "Your own id of the user",
    "simpleValueType": true,
    "enablingConditions": [{ "paramName": "action", "paramValue": "signup", "type": "EQUALS" }]
  },
  {
    "type": "TEXT",
    "name": "email",
    "displayName": "Email address of the user (optional)",
    "simpleValueType": true,
    "enablingConditions": [{ "paramName": "action", "paramValue": "signup", "type": "EQUALS" }]
  }
]


___SANDBOXED_JS_FOR_WEB_TEMPLATE___

const addConsentListener = require('addConsentListener');
const createQueue = require('createQueue');
const injectScript = require('injectScript');
const isConsentGranted = require('isConsentGranted');

// The tracker reads what is pushed here, before and after it has loaded.
const call = createQueue('svc');

if (data.action === 'signup') {
  call(data.email ? ['signup', data.customerKey, data.email] : ['signup', data.customerKey]);
  data.gtmOnSuccess();
} else {
  const waits = data.waitsForConsent && !isConsentGranted('ad_storage');
  call(['init', { programId: data.programId, consent: waits ? 'pending' : 'granted' }]);
  if (data.waitsForConsent) {
    addConsentListener('ad_storage', (type, isGranted) => call(['consent', isGranted ? 'granted' : 'denied']));
  }
  // The tracker of the program also reads the parameters of links from other tools.
  const url = 'https://track.example.com/js/svc-tracker-' + data.programId + '.js';
  injectScript(url, data.gtmOnSuccess, data.gtmOnFailure, 'svc');
}


___WEB_PERMISSIONS___

[
  {
    "instance": {
      "key": { "publicId": "inject_script", "versionId": "1" },
      "param": [
        {
          "key": "urls",
          "value": { "type": 2, "listItem": [{ "type": 1, "string": "https://track.example.com/js/svc-tracker-*" }] }
        }
      ]
    },
    "clientAnnotations": { "isEditedByUser": true },
    "isRequired": true
  },
  {
    "instance": {
      "key": { "publicId": "access_globals", "versionId": "1" },
      "param": [
        {
          "key": "keys",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 3,
                "mapKey": [
                  { "type": 1, "string": "key" },
                  { "type": 1, "string": "read" },
                  { "type": 1, "string": "write" },
                  { "type": 1, "string": "execute" }
                ],
                "mapValue": [
                  { "type": 1, "string": "svc" },
                  { "type": 8, "boolean": true },
                  { "type": 8, "boolean": true },
                  { "type": 8, "boolean": false }
                ]
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": { "isEditedByUser": true },
    "isRequired": true
  },
  {
    "instance": {
      "key": { "publicId": "access_consent", "versionId": "1" },
      "param": [
        {
          "key": "consentTypes",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 3,
                "mapKey": [
                  { "type": 1, "string": "consentType" },
                  { "type": 1, "string": "read" },
                  { "type": 1, "string": "write" }
                ],
                "mapValue": [
                  { "type": 1, "string": "ad_storage" },
                  { "type": 8, "boolean": true },
                  { "type": 8, "boolean": false }
                ]
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": { "isEditedByUser": true },
    "isRequired": true
  }
]


___TESTS___

scenarios: []


___NOTES___

Served by https://track.example.com, for this installation.
