"""The web page of Aspectra."""
