module example.com/partner-labels

go 1.22
